import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function disableAccountCommand(): Command {
  return operatorCommand('disable-account', 'disable an account: no sign-in, session or key works')
    .argument('<email>', 'e-mail address of the person')
    .action(async (email: string, flags: Flags) => {
      await operate(flags, (operator) => operator.disableAccount(email));
      if (flags['json']) return printJson({ email, disabled: true });
      printLine(`The account ${email} is disabled.`);
    });
}
