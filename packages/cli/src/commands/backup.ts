import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { printLine, printNotice } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function backupCommand(): Command {
  return withDatabaseFlags(new Command('backup'))
    .description('write all data to a file, as of one moment, while the service runs')
    .argument('<file>', 'where to write; the key is not part of it, so keep secret.key apart')
    .option('--yes', 'write over a file that is there')
    .action(async (file: string, flags: Record<string, unknown>) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      if (flags['yes'] !== true && existsSync(file)) {
        throw new server.BadSetting(
          `${file} is there already, so nothing was backed up: name another file, or add --yes to write over it.`,
        );
      }
      const report = await server.backup(settings, file, printNotice);
      printLine(`Wrote ${report.rows} rows of ${report.tables.length} tables to ${file}.`);
    });
}
