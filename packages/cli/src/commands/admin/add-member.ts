import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function addMemberCommand(): Command {
  return operatorCommand(
    'add-member',
    'add a person to an organization; makes the account if missing',
  )
    .argument('<org>', 'id or name')
    .argument('<email>', 'e-mail address of the person')
    .option('--role <role>', 'owner, admin or member', 'member')
    .action(async (organization: string, email: string, flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.addMember(organization, email, String(flags['role'])),
      );
      if (flags['json']) return printJson(made);
      printLine(
        made.added
          ? `${email} is now a member; ${made.accountMade ? 'the account was made' : 'the account existed already'}.`
          : `${email} was a member already; use set-role to change the role.`,
      );
    });
}
