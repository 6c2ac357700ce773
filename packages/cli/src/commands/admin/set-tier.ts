import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function setTierCommand(): Command {
  return operatorCommand('set-tier', 'say what a member may do in one project')
    .argument('<org>', 'its id or name')
    .argument('<project>', 'its id or name')
    .argument('<email>', 'of the member')
    .argument('<tier>', 'member, manage, admin or none')
    .action(
      async (organization: string, project: string, email: string, tier: string, flags: Flags) => {
        const { role } = await operate(flags, (operator) =>
          operator.setTier(organization, project, email, tier),
        );
        if (flags['json']) return printJson({ email, project, tier });
        printLine(
          tier === 'none'
            ? `${email} has no tier of their own in ${project} any more.`
            : `${email} now has the ${tier} tier in ${project}.`,
        );
        if (role !== 'member') {
          printSentence(
            `As ${role} they may do everything in every project; a tier counts for members alone.`,
          );
        }
      },
    );
}
