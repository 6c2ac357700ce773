import type { Command } from 'commander';
import { day, printColumns, printJson } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listMembersCommand(): Command {
  return operatorCommand('list-members', 'list who belongs to an organization')
    .argument('<org>', 'its id or name')
    .action(async (organization: string, flags: Flags) => {
      const members = await operate(flags, (operator) => operator.listMembers(organization));
      if (flags['json']) return printJson(members);
      printColumns(
        ['EMAIL', 'ROLE', 'SINCE', 'SESSIONS', 'KEYS', 'STATE'],
        members.map((member) => [
          member.email,
          member.role,
          day(member.joinedAt),
          String(member.openSessions),
          String(member.activeKeys),
          member.disabledAt === null ? 'active' : `disabled ${day(member.disabledAt)}`,
        ]),
      );
    });
}
