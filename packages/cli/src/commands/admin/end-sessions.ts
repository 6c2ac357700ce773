import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function endSessionsCommand(): Command {
  return operatorCommand('end-sessions', 'end all sessions and sign-in links of a person')
    .argument('<email>', 'e-mail address of the person')
    .action(async (email: string, flags: Flags) => {
      const { endedSessions } = await operate(flags, (operator) => operator.endSessions(email));
      if (flags['json']) return printJson({ email, endedSessions });
      printLine(`${endedSessions} sessions of ${email} ended.`);
    });
}
