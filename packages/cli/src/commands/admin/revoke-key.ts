import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function revokeKeyCommand(): Command {
  return operatorCommand('revoke-key', 'revoke an API key at once')
    .argument('<key id>', 'from list-keys')
    .action(async (keyId: string, flags: Flags) => {
      const revoked = await operate(flags, (operator) => operator.revokeKey(keyId));
      if (flags['json']) return printJson(revoked);
      printLine(`The key ${revoked.name} is revoked.`);
    });
}
