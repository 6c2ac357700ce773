import type { Command } from 'commander';
import { day, printColumns, printJson, printLine } from '../../output.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { wrapped } from '../../remote/wrap-line.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listMembersCommand(): Command {
  return operatorCommand('list-members', 'list the members of an organization')
    .argument('<org>', 'id or name')
    .action(async (organization: string, flags: Flags) => {
      const members = await operate(flags, (operator) => operator.listMembers(organization));
      if (flags['json']) return printJson(members);
      printColumns(
        ['ROLE', 'SINCE', 'SESSIONS', 'KEYS', 'STATE', 'EMAIL'],
        members.map((member) => [
          member.role,
          day(member.joinedAt),
          String(member.openSessions),
          String(member.activeKeys),
          member.disabledAt === null ? 'active' : `disabled ${day(member.disabledAt)}`,
          member.email,
        ]),
      );
      for (const line of describeTiers(members)) printLine(line);
    });
}

export function describeTiers(
  members: readonly {
    readonly email: string;
    readonly tiers: readonly { readonly projectName: string; readonly tier: string }[];
  }[],
): string[] {
  return members.flatMap(({ email, tiers }) =>
    tiers.flatMap(({ projectName, tier }) =>
      wrapped(`${email} has the ${tier} tier in ${projectName}.`, terminalAbility().width),
    ),
  );
}
