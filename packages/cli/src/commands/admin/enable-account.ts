import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function enableAccountCommand(): Command {
  return operatorCommand('enable-account', 'enable a disabled account')
    .argument('<email>', 'e-mail address of the person')
    .action(async (email: string, flags: Flags) => {
      await operate(flags, (operator) => operator.enableAccount(email));
      if (flags['json']) return printJson({ email, disabled: false });
      printLine(`The account ${email} is enabled; its keys work again.`);
    });
}
