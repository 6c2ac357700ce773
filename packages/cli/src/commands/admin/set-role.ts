import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function setRoleCommand(): Command {
  return operatorCommand('set-role', 'change the role of a member')
    .argument('<org>', 'id or name')
    .argument('<email>', 'e-mail address of the member')
    .argument('<role>', 'owner, admin or member')
    .action(async (organization: string, email: string, role: string, flags: Flags) => {
      await operate(flags, (operator) => operator.setRole(organization, email, role));
      if (flags['json']) return printJson({ email, role });
      printLine(`${email} is now ${role}.`);
    });
}
