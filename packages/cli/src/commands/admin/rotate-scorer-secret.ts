import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { printKey } from './print-key.ts';

export function rotateScorerSecretCommand(): Command {
  return operatorCommand(
    'rotate-scorer-secret',
    'make or replace the secret that signs requests to own scorers of a project',
  )
    .argument('<org>', 'id or name')
    .argument('<project>', 'id or name')
    .action(async (organization: string, project: string, flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.rotateScorerSecret(organization, project),
      );
      if (flags['json']) return printJson(made);
      printLine(`Made a scorer secret for ${project} (${made.projectId}).`);
      printKey(made.secret);
      printSentence('The previous secret no longer works; give this one to your scorers.');
    });
}
