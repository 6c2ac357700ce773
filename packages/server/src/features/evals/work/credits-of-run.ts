/**
 * Applies the credit cap of a run to its slices: once it is reached, they begin no further trial,
 * and the last slice ends the run.
 */

import type { Database, Sql } from '../../../platform/database/database.ts';
import type { StopReason } from '../../../platform/spending/metered-models.ts';
import { readSpentToday } from '../../../platform/spending/store/daily-counters.ts';
import { settleOfEarlierHolders } from '../../../platform/spending/store/reservations.ts';
import { readRunCredits } from '../../../platform/spending/store/run-credits.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import { isStopping, markStopping } from '../store/eval-runs.ts';

export interface CreditsOfRun {
  /** Charges reservations of lost holders, which would otherwise stay reserved for long. */
  payEarlierHolders(ordinals: readonly number[]): Promise<void>;
  areUsedUp(): Promise<boolean>;
  stopRun(reason: StopReason): Promise<void>;
}

export function creditsOfRun(
  database: Pick<Database, 'tenant'>,
  work: ClaimedWork,
  creditsPerDay: number | null,
  maxCredits: number | undefined,
): CreditsOfRun {
  const { organizationId, groupId: runId, lease } = work;
  const stopRun = (reason: StopReason) =>
    database.tenant([organizationId], (sql) => markStopping(sql, runId, reason));
  if (creditsPerDay === null && maxCredits === undefined) {
    return { payEarlierHolders: async () => undefined, areUsedUp: async () => false, stopRun };
  }
  const whichAreUsedUp = async (sql: Sql): Promise<StopReason | undefined> => {
    const limited = maxCredits === undefined ? undefined : await readRunCredits(sql, runId);
    // A run that costs nothing may run with zero credits.
    if (limited !== undefined && limited.used > 0 && limited.used >= limited.maxCredits) {
      return 'maxCredits';
    }
    if (creditsPerDay === null) return undefined;
    return (await readSpentToday(sql, organizationId)) < creditsPerDay ? undefined : 'credits';
  };
  return {
    payEarlierHolders(ordinals) {
      const refs = ordinals.map((ordinal) => `${runId}/${ordinal}`);
      const isOwn = (step: string) => step.endsWith(` ${lease}`);
      return database.tenant([organizationId], (sql) =>
        settleOfEarlierHolders(sql, work, { refs, isOwn }),
      );
    },
    areUsedUp: () =>
      database.tenant([organizationId], async (sql) => {
        const usedUp = await whichAreUsedUp(sql);
        if (usedUp === undefined) return isStopping(sql, runId);
        await markStopping(sql, runId, usedUp);
        return true;
      }),
    stopRun,
  };
}
