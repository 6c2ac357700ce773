import { Command } from 'commander';
import { printColumns, printJson } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function configCommand(): Command {
  return withDatabaseFlags(new Command('config'))
    .description('print the settings in force and where each comes from, secrets masked')
    .option('--json', 'print them as JSON')
    .action(async (flags: Record<string, unknown>) => {
      const { settingRows } = await import('@proofmark/server');
      const { settings, sources } = await settingsOf(flags);
      const shown = Object.entries(settingRows).map(([name, row]) => {
        const value = settings[name as keyof typeof settings];
        const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
        return {
          name,
          value: row.secret && isSet ? '(set, not shown)' : value,
          source: sources[name as keyof typeof sources],
        };
      });
      if (flags['json']) {
        printJson(
          Object.fromEntries(
            shown.map(({ name, value, source }) => [name, { value: value ?? null, source }]),
          ),
        );
        return;
      }
      printColumns(
        ['SETTING', 'VALUE', 'FROM'],
        shown.map((row) => [row.name, asText(row.value), row.source]),
      );
    });
}

function asText(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '(none)';
  if (typeof value === 'object' && value !== null && 'perMinute' in value && 'burst' in value) {
    return `${value.perMinute}/${value.burst}`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
