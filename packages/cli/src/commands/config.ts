import { Command } from 'commander';
import { printColumns, printJson } from '../output.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function configCommand(): Command {
  return withDatabaseFlags(new Command('config'))
    .description('print the current settings with their sources, secrets masked')
    .option('--host <address>', 'as of serve')
    .option('--port <number>', 'as of serve')
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
        shown.map((row) => [row.name, settingText(row.name, row.value), row.source]),
      );
    });
}

export function settingText(name: string, value: unknown): string {
  if (name === 'logLevel' && value === undefined) return 'info, at a terminal warn';
  if (name === 'ingestionRateLimit' && value === undefined) return 'that of all calls';
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(',');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? objectText(value) : String(value);
}

function objectText(value: object): string {
  if ('perMinute' in value && 'burst' in value) return `${value.perMinute}/${value.burst}`;
  if ('days' in value && 'count' in value) {
    const { days, count } = value;
    const parts = [...(days === null ? [] : [`${days}d`]), ...(count === null ? [] : [count])];
    return parts.length === 0 ? 'none' : parts.join('/');
  }
  return JSON.stringify(value);
}
