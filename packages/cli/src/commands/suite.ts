import { Command } from 'commander';
import { suiteDeleteCommand } from './suite/delete.ts';
import { suiteExportCommand } from './suite/export.ts';
import { suiteFlakyCommand } from './suite/flaky.ts';
import { suiteImportCommand } from './suite/import.ts';
import { type OwnLint, suiteLintCommand } from './suite/lint.ts';
import { suiteListCommand } from './suite/list.ts';
import { suiteMutateCommand } from './suite/mutate.ts';
import { suiteShowCommand } from './suite/show.ts';

export function suiteCommand(here?: OwnLint): Command {
  const group = new Command('suite').description('list, import, export, lint and mutate suites');
  for (const command of [
    suiteListCommand(),
    suiteShowCommand(),
    suiteLintCommand(here),
    suiteImportCommand(),
    suiteExportCommand(),
    suiteMutateCommand(here?.own),
    suiteFlakyCommand(),
    suiteDeleteCommand(),
  ])
    group.addCommand(command);
  return group;
}
