import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function withdrawInvitationCommand(): Command {
  return operatorCommand('withdraw-invitation', 'withdraw an invitation; its link stops working')
    .argument('<org>', 'id or name')
    .argument('<email>', 'e-mail address of the invited person')
    .action(async (organization: string, email: string, flags: Flags) => {
      await operate(flags, (operator) => operator.withdrawInvitation(organization, email));
      if (flags['json']) return printJson({ email, withdrawn: true });
      printLine(`The invitation of ${email} is withdrawn.`);
    });
}
