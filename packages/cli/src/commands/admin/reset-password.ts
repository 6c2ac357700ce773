import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function resetPasswordCommand(): Command {
  return operatorCommand(
    'reset-password',
    'end a password and make a one-time link to set a new one',
  )
    .argument('<email>', 'e-mail address of the person')
    .option('--url <url>', 'address of the console for them (default: where it runs)')
    .action(async (email: string, flags: Flags) => {
      const link = await operate(flags, (operator) =>
        operator.resetPassword(email, flags['url'] as string | undefined),
      );
      if (flags['json']) return printJson(link);
      printLine(link.url);
      printSentence(
        `Send it to ${email}: it works once, for a day. The old password no longer works.`,
      );
    });
}
