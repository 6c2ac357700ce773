import type { Command } from 'commander';
import { printJson, printLine } from '../../../output.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';

export function removeModelCommand(): Command {
  return modelOperatorCommand('remove', 'remove a model provider; open runs keep it until they end')
    .argument('<name>', 'the provider')
    .action(async (name: string, flags: Flags) => {
      await operateModels(flags, (operator) =>
        operator.removeProvider(name, organizationOf(flags)),
      );
      if (flags['json']) return printJson({ name, removed: true });
      printLine(`The model provider ${name} is removed.`);
    });
}
