import type { Command } from 'commander';
import { day, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function inviteCommand(): Command {
  return operatorCommand('invite', 'make a one-time link to join an organization')
    .argument('<org>', 'id or name')
    .argument('<email>', 'e-mail address of the person')
    .option('--role <role>', 'owner, admin or member', 'member')
    .option('--url <url>', 'address of the console for them (default: where it runs)')
    .action(async (organization: string, email: string, flags: Flags) => {
      const link = await operate(flags, (operator) =>
        operator.invite(
          organization,
          email,
          String(flags['role']),
          flags['url'] as string | undefined,
        ),
      );
      if (flags['json']) return printJson(link);
      printLine(link.url);
      printLine(`Send it to ${email}: it works once, until ${day(link.expiresAt)}.`);
    });
}
