import type { Command } from 'commander';
import { printJson, printSentence } from '../../../output.ts';
import { exitCodes } from '../../../remote/exit-codes.ts';
import type { Flags } from '../operate.ts';
import { modelOperatorCommand, operateModels, organizationOf } from './operate-models.ts';

export function testModelCommand(): Command {
  return modelOperatorCommand('test', 'ask a model of a provider once, for a few tokens')
    .argument('<name>', 'the provider')
    .option('--model <name>', 'the model to ask (default: the first of the provider)')
    .action(async (name: string, flags: Flags) => {
      const organization = organizationOf(flags);
      const never = new AbortController().signal;
      const wanted = {
        ...(flags['model'] !== undefined && { model: String(flags['model']) }),
        ...(organization !== undefined && { organization }),
      };
      const result = await operateModels(flags, (operator) =>
        operator.testProvider(name, wanted, never),
      );
      if (!result.ok) process.exitCode = exitCodes.other;
      if (flags['json']) return printJson(result);
      printSentence(result.ok ? `${name}/${result.model} answered.` : result.message);
    });
}
