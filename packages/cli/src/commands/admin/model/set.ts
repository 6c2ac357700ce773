import type { Command } from 'commander';
import { printJson, printLine, printNotice } from '../../../output.ts';
import { collectFlag } from '../../../remote/collect-flag.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';
import { readProviderFlags } from './provider-flags.ts';

export function setModelCommand(): Command {
  return modelOperatorCommand('set', 'make a model provider, or change the given fields')
    .argument('<name>', 'the part of a model id before the slash')
    .option('--kind <kind>', 'openai, anthropic, google, openrouter, ollama or openai-compatible')
    .option('--base-url <url>', 'its address (default: that of the kind)')
    .option('--key-variable <name>', 'the environment variable with the key')
    .option('--no-key', 'remove the key')
    .option(
      '--model <name[=input,output]>',
      'a hosted model, with US dollars per million tokens; repeat for more; replaces all',
      collectFlag,
    )
    .option('--images <name>', 'a model that accepts images; repeat for more', collectFlag)
    .option(
      '--requests-at-once <number>',
      'requests at a time over all processes; none for the default',
    )
    .action(async (name: string, flags: Flags) => {
      const change = readProviderFlags(flags, process.env);
      const organization = organizationOf(flags);
      const set = await operateModels(flags, (operator) =>
        operator.setProvider(name, change, organization),
      );
      if (flags['json']) return printJson(set);
      printLine(`The model provider ${name} is set. New runs use it.`);
      if (!set.isInForce) {
        printNotice(
          `another provider called ${name}, from the configuration file or the operator, takes precedence.`,
        );
      }
    });
}
