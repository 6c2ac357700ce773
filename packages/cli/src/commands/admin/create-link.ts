import type { Command } from 'commander';
import { clockTime, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function createLinkCommand(): Command {
  return operatorCommand('create-link', 'make a one-time sign-in link for a person')
    .argument('<email>', 'e-mail address of the person')
    .option('--url <url>', 'address of the console for them (default: where it runs)')
    .action(async (email: string, flags: Flags) => {
      const link = await operate(flags, (operator) =>
        operator.createSignInLink(email, flags['url'] as string | undefined),
      );
      if (flags['json']) return printJson(link);
      printLine(link.url);
      printLine(`It works once, until ${clockTime(link.expiresAt)}.`);
    });
}
