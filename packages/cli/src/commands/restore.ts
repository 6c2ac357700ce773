import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { printLine, printNotice } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function restoreCommand(): Command {
  return withDatabaseFlags(new Command('restore'))
    .description('replace all data with that of a backup file')
    .argument('<file>', 'a file written by proofmark backup')
    .option('--yes', 'replace all data without asking')
    .option('--stop-others', 'make services and workers release the data meanwhile')
    .option(
      '--backup-first <file>',
      'file for a backup of the current data (default: before-restore-… beside the file)',
    )
    .action(async (file: string, flags: Record<string, unknown>) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      const confirm = async (sentence: string) => {
        if (flags['yes'] === true) return true;
        if (process.stdin.isTTY && process.stderr.isTTY) return ask(sentence);
        throw new server.BadSetting(
          `${sentence.replace(/\.$/, '')}: add --yes to confirm, since there is no terminal to ask.`,
        );
      };
      const wishes = {
        file,
        confirm,
        stopOthers: flags['stopOthers'] === true,
        backupFirst: flags['backupFirst'] as string | undefined,
      };
      const report = await server.restore(settings, wishes, printNotice);
      if (report === undefined) return printLine('Nothing was restored.');
      printLine(`Restored ${report.rows} rows of ${report.tables.length} tables from ${file}.`);
    });
}

/** Asks on stderr, so that stdout contains only the command's result. */
async function ask(sentence: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(`${sentence} Go on? [y/N] `));
  } finally {
    terminal.close();
  }
}
