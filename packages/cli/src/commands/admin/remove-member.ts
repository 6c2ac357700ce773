import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function removeMemberCommand(): Command {
  return operatorCommand('remove-member', 'remove a member; their sessions and keys end at once')
    .argument('<org>', 'id or name')
    .argument('<email>', 'e-mail address of the member')
    .action(async (organization: string, email: string, flags: Flags) => {
      const removed = await operate(flags, (operator) =>
        operator.removeMember(organization, email),
      );
      if (flags['json']) return printJson({ email, ...removed });
      const keys = removed.revokedKeys.length;
      printLine(`${email} is removed; sessions ended, ${keys} of their keys revoked.`);
    });
}
