import { Command } from 'commander';
import { printLine, printNotice } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function migrateCommand(): Command {
  return withDatabaseFlags(new Command('migrate'))
    .description('update the database to the schema of this version')
    .action(async (flags: Record<string, unknown>) => {
      const { runMigrations } = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      const applied = await runMigrations(settings, printNotice);
      printLine(applied.length === 0 ? 'Nothing to migrate.' : `Migrated: ${applied.join(', ')}.`);
    });
}
