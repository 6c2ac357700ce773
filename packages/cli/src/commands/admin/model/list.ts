import type { Command } from 'commander';
import { printJson, printLine } from '../../../output.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';

export function listModelsCommand(): Command {
  return modelOperatorCommand('list', 'list model providers and their models').action(
    async (flags: Flags) => {
      const organization = organizationOf(flags);
      const providers = await operateModels(flags, (operator) =>
        operator.listProviders(organization),
      );
      if (flags['json']) return printJson(providers);
      if (providers.length === 0) return printLine('There are no model providers.');
      for (const line of providers.flatMap(describeProvider)) printLine(line);
    },
  );
}

type ListedProvider = Awaited<
  ReturnType<Parameters<Parameters<typeof operateModels>[1]>[0]['listProviders']>
>[number];

export function describeProvider(one: ListedProvider): string[] {
  const from = one.isInForce ? one.source : `${one.source}, not in force`;
  return [
    `${one.name}  ${one.kind}, of the ${from}; key: ${one.hasKey ? 'set' : 'none'}`,
    ...(one.baseUrl === null ? [] : [`  ${one.baseUrl}`]),
    ...one.models.map(
      ({ name, inputPerMillion, outputPerMillion }) =>
        `  ${name}: ${
          inputPerMillion === undefined
            ? 'no price'
            : `$${inputPerMillion} in, $${outputPerMillion} out for a million tokens`
        }`,
    ),
  ];
}
