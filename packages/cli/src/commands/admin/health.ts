import type { Command } from 'commander';
import { printColumns, printJson, printLine, printNotice, printSentence } from '../../output.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { settingsOf } from '../../settings.ts';
import { describeHealth } from './describe-health.ts';
import { type Flags, operatorCommand } from './operate.ts';

export function healthCommand(): Command {
  return operatorCommand(
    'health',
    'show the database, the workers, waiting work, the disk and the browser of widgets; the exit code is 3 if something is wrong',
  ).action(async (flags: Flags) => {
    const { readHealth } = await import('@proofmark/server');
    const { settings } = await settingsOf(flags);
    const health = await readHealth(settings, printNotice);
    if (health.problems.length > 0) process.exitCode = exitCodes.other;
    if (flags['json']) return printJson(health);
    const { lines, work, workers } = describeHealth(health);
    for (const line of lines) printSentence(line);
    for (const { header, rows } of [work, workers]) {
      if (rows.length === 0) continue;
      printLine();
      printColumns(header, rows);
    }
  });
}
