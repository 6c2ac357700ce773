import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { printKey } from './print-key.ts';

export function rotateScorerSecretCommand(): Command {
  return operatorCommand(
    'rotate-scorer-secret',
    'make the secret that requests to own scorers of a project are signed with, or another one',
  )
    .argument('<org>', 'its id or name')
    .argument('<project>', 'its id or name')
    .action(async (organization: string, project: string, flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.rotateScorerSecret(organization, project),
      );
      if (flags['json']) return printJson(made);
      printLine(`Made a scorer secret for ${project} (${made.projectId}).`);
      printKey(made.secret);
      printSentence('The one before it signs nothing any more; give this one to your scorers.');
    });
}
