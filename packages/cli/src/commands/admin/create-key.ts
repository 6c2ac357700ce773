import type { Command } from 'commander';
import { day, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { printKey } from './print-key.ts';

export function createKeyCommand(): Command {
  return operatorCommand('create-key', 'make an API key for a member of an organization')
    .requiredOption('--email <address>', 'the member whose rights the key has')
    .requiredOption('--organization <id or name>', 'the organization of the key')
    .option('--name <name>', 'the name of the key', 'operator')
    .option('--scope <scope>', 'full, run-only or read-only', 'full')
    .option('--expires-in-days <days>', 'days until it expires (default: never)')
    .action(async (flags: Flags) => {
      const { apiKey, key } = await operate(flags, (operator) =>
        operator.createKey(
          String(flags['email']),
          String(flags['organization']),
          String(flags['name']),
          {
            scope: String(flags['scope']),
            ...(flags['expiresInDays'] !== undefined && {
              expiresInDays: Number(flags['expiresInDays']),
            }),
          },
        ),
      );
      const { id, name, scope, expiresAt } = apiKey;
      if (flags['json']) return printJson({ apiKeyId: id, apiKey: key, scope, expiresAt });
      const end = expiresAt === null ? 'never expires' : `expires ${day(expiresAt)}`;
      printLine(`Made the key ${name} (${id}): ${scope}, ${end}.`);
      printKey(key);
    });
}
