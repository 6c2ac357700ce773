import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { printLine, printNotice } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function backupCommand(): Command {
  return withDatabaseFlags(new Command('backup'))
    .description('write all data of one moment to a file, while the service runs')
    .argument('<file>', 'the file; it does not contain the key, so keep secret.key too')
    .option('--yes', 'overwrite an existing file')
    .action(async (file: string, flags: Record<string, unknown>) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      if (flags['yes'] !== true && existsSync(file)) {
        throw new server.BadSetting(
          `${file} exists, so nothing was backed up: name another file, or add --yes to overwrite it.`,
        );
      }
      const report = await server.backup(settings, file, printNotice);
      printLine(`Wrote ${report.rows} rows of ${report.tables.length} tables to ${file}.`);
    });
}
