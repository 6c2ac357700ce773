import type { Command } from 'commander';
import { printJson, printLine, printNotice } from '../../../output.ts';
import { collectFlag } from '../../../remote/collect-flag.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';
import { readProviderWish } from './provider-wish.ts';

export function setModelCommand(): Command {
  return modelOperatorCommand('set', 'make a model provider, or change what is given of it')
    .argument('<name>', 'the part of a model id before the slash')
    .option('--kind <kind>', 'openai, anthropic, google, openrouter, ollama or openai-compatible')
    .option('--base-url <url>', 'another address than that of the kind; none for that of the kind')
    .option('--key-variable <name>', 'the environment variable that holds the key now')
    .option('--no-key', 'take the key away')
    .option(
      '--model <name[=input,output]>',
      'offer this model, with dollars for a million tokens; may be given again, and all are replaced',
      collectFlag,
    )
    .option('--images <name>', 'this model takes images; may be given again', collectFlag)
    .option('--requests-at-once <number>', 'over all processes; none for the default')
    .action(async (name: string, flags: Flags) => {
      const wish = readProviderWish(flags, process.env);
      const organization = organizationOf(flags);
      const set = await operateModels(flags, (operator) =>
        operator.setProvider(name, wish, organization),
      );
      if (flags['json']) return printJson(set);
      printLine(`The model provider ${name} is set; runs use it from their next launch on.`);
      if (!set.isInForce) {
        printNotice(
          `another provider called ${name}, of the file or of the operator, counts instead.`,
        );
      }
    });
}
