import type { Command } from 'commander';
import { day, printColumns, printJson } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listKeysCommand(): Command {
  return operatorCommand('list-keys', 'list the API keys of an organization')
    .argument('<org>', 'its id or name')
    .action(async (organization: string, flags: Flags) => {
      const keys = await operate(flags, (operator) => operator.listKeys(organization));
      if (flags['json']) return printJson(keys);
      printColumns(
        ['ID', 'NAME', 'START', 'SCOPE', 'CREATED', 'LAST USED', 'STATE'],
        keys.map((key) => [
          key.id,
          key.name,
          `${key.start}…`,
          key.scope,
          day(key.createdAt),
          key.lastUsedAt === null ? 'never' : day(key.lastUsedAt),
          stateOf(key),
        ]),
      );
    });
}

function stateOf(key: {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
}): string {
  if (key.revokedAt !== null) return `revoked ${day(key.revokedAt)}`;
  if (key.expiresAt === null) return 'in use';
  return `${key.isExpired ? 'expired' : 'in use until'} ${day(key.expiresAt)}`;
}
