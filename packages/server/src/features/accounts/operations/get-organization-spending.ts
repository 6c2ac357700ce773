import { limitStandings, nextUtcMidnight } from '@proofmark/domain';
import { readQuotaStanding } from '../../../platform/accounts/store/quotas.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { readCreditsByDay, readSpending } from '../../../platform/spending/store/read-spending.ts';
import { countHeldSlots } from '../../evals/index.ts';
import type { AccountsParts } from '../accounts-context.ts';
import { asAdmin } from './enter-as-admin.ts';

const daysShown = 14;

export const getOrganizationSpending: Action<'getOrganizationSpending', AccountsParts> = (
  context,
  { params, query },
) =>
  asAdmin(context, params.organizationId, async (sql) => {
    const { organizationId } = params;
    const { limits } = context.spending;
    const { concurrentRuns, quotas: defaults } = context.runLimits;
    const quotas = await readQuotaStanding(sql, organizationId, defaults);
    const today = await readSpending(sql, organizationId, undefined, limits);
    const { day, ledger } =
      query.day === undefined ? today : await readSpending(sql, organizationId, query.day, limits);
    const used = await countHeldSlots(sql, organizationId, undefined);
    return {
      day,
      resetsAt: nextUtcMidnight(quotas.nowMs),
      limits: limitStandings({
        counters: today.counters,
        limits,
        quotas,
        openRuns: { used, allowed: concurrentRuns },
      }),
      spent: [...ledger],
      days: await readCreditsByDay(sql, organizationId, daysShown),
    };
  });
