import type { Command } from 'commander';
import { day, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function listKeysCommand(): Command {
  return operatorCommand('list-keys', 'list the API keys of an organization')
    .argument('<org>', 'id or name')
    .action(async (organization: string, flags: Flags) => {
      const keys = await operate(flags, (operator) => operator.listKeys(organization));
      if (flags['json']) return printJson(keys);
      for (const line of keys.flatMap(describeKey)) printLine(line);
    });
}

/** Uses two lines for each key, because one line would be wider than a terminal. */
export function describeKey(key: ListedKey): string[] {
  const used = key.lastUsedAt === null ? 'never used' : `last used ${day(key.lastUsedAt)}`;
  return [
    `${key.id}  ${key.start}…  ${key.scope}  ${stateOf(key)}`,
    `  ${key.name}, of ${key.ownerEmail}; made ${day(key.createdAt)}, ${used}`,
  ];
}

type ListedKey = Awaited<
  ReturnType<Parameters<Parameters<typeof operate>[1]>[0]['listKeys']>
>[number];

function stateOf(key: {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
}): string {
  if (key.revokedAt !== null) return `revoked ${day(key.revokedAt)}`;
  if (key.expiresAt === null) return 'in use';
  return `${key.isExpired ? 'expired' : 'in use until'} ${day(key.expiresAt)}`;
}
