import type { Command } from 'commander';
import { printColumns, printJson } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listKeysCommand(): Command {
  return operatorCommand('list-keys', 'list the API keys of an organization')
    .argument('<org>', 'its id or name')
    .action(async (organization: string, flags: Flags) => {
      const keys = await operate(flags, (operator) => operator.listKeys(organization));
      if (flags['json']) return printJson(keys);
      printColumns(
        ['ID', 'NAME', 'START', 'CREATED', 'STATE'],
        keys.map((key) => [
          key.id,
          key.name,
          `${key.start}…`,
          day(key.createdAt),
          key.revokedAt ? `revoked ${day(key.revokedAt)}` : 'in use',
        ]),
      );
    });
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
