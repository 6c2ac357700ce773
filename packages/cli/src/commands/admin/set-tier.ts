import type { Command } from 'commander';
import { printJson, printLine, printSentence } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function setTierCommand(): Command {
  return operatorCommand('set-tier', 'set the tier of a member in one project')
    .argument('<org>', 'id or name')
    .argument('<project>', 'id or name')
    .argument('<email>', 'e-mail address of the member')
    .argument('<tier>', 'member, manage, admin or none')
    .action(
      async (organization: string, project: string, email: string, tier: string, flags: Flags) => {
        const { role } = await operate(flags, (operator) =>
          operator.setTier(organization, project, email, tier),
        );
        if (flags['json']) return printJson({ email, project, tier });
        printLine(
          tier === 'none'
            ? `${email} no longer has a tier in ${project}.`
            : `${email} now has the ${tier} tier in ${project}.`,
        );
        if (role !== 'member') {
          printSentence(
            `The role ${role} has all rights in every project; tiers matter only for members.`,
          );
        }
      },
    );
}
