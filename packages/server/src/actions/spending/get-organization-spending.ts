import { limitStandings, nextUtcMidnight } from '@proofmark/domain';
import { readQuotaStanding } from '../../storage/accounts/quotas.ts';
import { countHeldSlots } from '../../storage/eval-runs/launched-runs.ts';
import { readCreditsByDay, readSpending } from '../../storage/spending/read-spending.ts';
import type { Action } from '../action.ts';
import { asAdmin } from '../members/enter-as-admin.ts';

const daysShown = 14;

export const getOrganizationSpending: Action<'getOrganizationSpending'> = (
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
        ...{ counters: today.counters, limits, quotas },
        openRuns: { used, allowed: concurrentRuns },
      }),
      spent: [...ledger],
      days: await readCreditsByDay(sql, organizationId, daysShown),
    };
  });
