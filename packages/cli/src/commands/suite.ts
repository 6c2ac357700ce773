/** `proofmark suite …`: lists, imports, exports, lints and mutates suites. */
import { Command } from 'commander';
import { suiteDeleteCommand } from './suite/delete.ts';
import { suiteExportCommand } from './suite/export.ts';
import { suiteFlakyCommand } from './suite/flaky.ts';
import { suiteImportCommand } from './suite/import.ts';
import { suiteLintCommand } from './suite/lint.ts';
import { suiteListCommand } from './suite/list.ts';
import { suiteMutateCommand } from './suite/mutate.ts';
import { suiteShowCommand } from './suite/show.ts';
import type { OwnService } from './test/open-service.ts';

export function suiteCommand(own?: OwnService): Command {
  const group = new Command('suite').description('list, import, export, lint and mutate suites');
  for (const command of [
    suiteListCommand(),
    suiteShowCommand(),
    suiteLintCommand(),
    suiteImportCommand(),
    suiteExportCommand(),
    suiteMutateCommand(own),
    suiteFlakyCommand(),
    suiteDeleteCommand(),
  ])
    group.addCommand(command);
  return group;
}
