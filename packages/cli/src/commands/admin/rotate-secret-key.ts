import type { Command } from 'commander';
import { printJson, printLine, printNotice } from '../../output.ts';
import { settingsOf } from '../../settings.ts';
import { type Flags, operatorCommand } from './operate.ts';

export function rotateSecretKeyCommand(): Command {
  return operatorCommand(
    'rotate-secret-key',
    'seal all secrets with a new key while the service runs; run it again after an interruption',
  )
    .option('--new-key-file <file>', 'file for the new key, if the old one is in the environment')
    .action(async (flags: Flags) => {
      const { rotateSecretKey } = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      const given = flags['newKeyFile'];
      const newKeyFile = typeof given === 'string' ? given : undefined;
      const report = await rotateSecretKey(settings, newKeyFile, printNotice);
      if (flags['json']) return printJson(report);
      printLine(`Sealed ${report.sealed} values with the key in ${report.file}.`);
      for (const { place, count } of report.unreadable) {
        printLine(
          `${count} values of ${place} could not be opened; they could not be opened before either.`,
        );
      }
      if (newKeyFile !== undefined) {
        printLine(
          'Set PROOFMARK_SECRET_KEY to the content of that file before the next start of any process.',
        );
      }
    });
}
