import { grouped, type QuotaName } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function setQuotaCommand(): Command {
  return operatorCommand('set-quota', 'limit the use of an organization')
    .argument('<org>', 'id or name')
    .argument('<quota>', 'storedBytes, trialsPerDay or uploadBytesPerDay')
    .argument('<limit>', 'a number, none, or default (as in the settings)')
    .action(async (organization: string, quota: string, limit: string, flags: Flags) => {
      const { quotas, used } = await operate(flags, (operator) =>
        operator.setQuota(organization, quota, limit),
      );
      const allowed = quotas[quota as QuotaName];
      const current = used[quota as QuotaName];
      if (flags['json']) return printJson({ quota, allowed, used: current });
      const words = allowed === null ? 'no limit' : grouped(allowed);
      printLine(`${quota} of ${organization}: ${words}; ${grouped(current)} used.`);
    });
}
