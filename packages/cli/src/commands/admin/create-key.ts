import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { printKey } from './print-key.ts';

export function createKeyCommand(): Command {
  return operatorCommand('create-key', 'make an API key for a member of an organization')
    .requiredOption('--email <address>', 'the member as whom the key acts')
    .requiredOption('--organization <id or name>', 'the organization the key is bound to')
    .option('--name <name>', 'what the key is for', 'operator')
    .action(async (flags: Flags) => {
      const { apiKey, key } = await operate(flags, (operator) =>
        operator.createKey(
          String(flags['email']),
          String(flags['organization']),
          String(flags['name']),
        ),
      );
      if (flags['json']) return printJson({ apiKeyId: apiKey.id, apiKey: key });
      printLine(`Made the key ${apiKey.name} (${apiKey.id}).`);
      printKey(key);
    });
}
