/** `proofmark suite …`: suites of a service as files. */
import { Command } from 'commander';
import { suiteExport } from './suite/export.ts';
import { suiteImport } from './suite/import.ts';
import { suiteList } from './suite/list.ts';

export function suiteGroup(): Command {
  const group = new Command('suite').description(
    'list suites, write them to files and read them back',
  );
  for (const command of [suiteList(), suiteImport(), suiteExport()]) group.addCommand(command);
  return group;
}
