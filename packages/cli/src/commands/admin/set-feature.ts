import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function setFeatureCommand(): Command {
  return operatorCommand('set-feature', 'switch a feature of an organization on or off')
    .argument('<org>', 'id or name')
    .argument('<feature>', 'swarms or user-testing')
    .argument('<state>', 'on or off')
    .action(async (organization: string, feature: string, state: string, flags: Flags) => {
      await operate(flags, (operator) => operator.setFeature(organization, feature, state));
      if (flags['json']) return printJson({ feature, state });
      printLine(`${feature} is ${state} for ${organization}.`);
    });
}
