import { grouped } from '@proofmark/domain';
import type { Command } from 'commander';
import { printColumns, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function quotasCommand(): Command {
  return operatorCommand('quotas', 'show the limits of organizations and their use')
    .argument('[org]', 'id or name (default: all organizations)')
    .action(async (organization: string | undefined, flags: Flags) => {
      const shown = await operate(flags, (operator) => operator.readQuotas(organization));
      if (flags['json']) return printJson(shown);
      for (const { organization: one, quotas } of shown) {
        printLine(`${one.name} (${one.id})`);
        printColumns(
          ['  QUOTA', 'USED', 'LIMIT', 'FROM'],
          quotas.map(({ name, used, allowed, isOwn }) => [
            `  ${name}`,
            grouped(used),
            allowed === null ? 'none' : grouped(allowed),
            isOwn ? 'set-quota' : 'settings',
          ]),
        );
      }
    });
}
