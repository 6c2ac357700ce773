import type { Command } from 'commander';
import { printColumns, printJson } from '../../../output.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';

export function listModelsCommand(): Command {
  return modelOperatorCommand('list', 'list model providers and what they offer').action(
    async (flags: Flags) => {
      const organization = organizationOf(flags);
      const providers = await operateModels(flags, (operator) =>
        operator.listProviders(organization),
      );
      if (flags['json']) return printJson(providers);
      printColumns(
        ['NAME', 'KIND', 'FROM', 'KEY', 'ADDRESS', 'MODELS'],
        providers.map((one) => [
          one.name,
          one.kind,
          one.isInForce ? one.source : `${one.source} (not in force)`,
          one.hasKey ? 'set' : 'none',
          one.baseUrl ?? '',
          one.models.map(({ name }) => name).join(', '),
        ]),
      );
    },
  );
}
