import type { Command } from 'commander';
import { day, printColumns, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listInvitationsCommand(): Command {
  return operatorCommand('list-invitations', 'list open invitations')
    .argument('<org>', 'id or name')
    .action(async (organization: string, flags: Flags) => {
      const invitations = await operate(flags, (operator) =>
        operator.listInvitations(organization),
      );
      if (flags['json']) return printJson(invitations);
      if (invitations.length === 0) return printLine('There are no open invitations.');
      printColumns(
        ['ROLE', 'STATE', 'BY', 'EMAIL'],
        invitations.map(({ role, isExpired, expiresAt, invitedBy, email }) => [
          role,
          `${isExpired ? 'over since' : 'until'} ${day(expiresAt)}`,
          invitedBy ?? 'operator',
          email,
        ]),
      );
    });
}
