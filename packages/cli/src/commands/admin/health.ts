import type { Command } from 'commander';
import { printColumns, printJson, printLine, printNotice } from '../../output.ts';
import { settingsOf } from '../../settings.ts';
import { describeHealth } from './describe-health.ts';
import { type Flags, operatorCommand } from './operate.ts';

export function healthCommand(): Command {
  return operatorCommand(
    'health',
    'show the database, the workers, waiting work and the disk',
  ).action(async (flags: Flags) => {
    const { readHealth } = await import('@proofmark/server');
    const { settings } = await settingsOf(flags);
    const health = await readHealth(settings, printNotice);
    if (flags['json']) return printJson(health);
    const { lines, work, workers } = describeHealth(health);
    for (const line of lines) printLine(line);
    for (const { header, rows } of [work, workers]) {
      if (rows.length === 0) continue;
      printLine();
      printColumns(header, rows);
    }
  });
}
