/** A cap of credits, as the slices of a run meet it: they begin no trial once it is reached, and the last of them ends the run. */
import type { Database } from '../storage/database/database.ts';
import { isStopping, markStopping } from '../storage/eval-runs/eval-runs.ts';
import { readSpentToday } from '../storage/spending/daily-counters.ts';
import { settleOfEarlierHolders } from '../storage/spending/reservations.ts';
import type { ClaimedWork } from '../storage/work/leased-work.ts';

export interface CreditsOfRun {
  /** What is set aside for trials whose holder is gone would be kept from others for long. */
  payEarlierHolders(ordinals: readonly number[]): Promise<void>;
  areUsedUp(): Promise<boolean>;
  stopRun(): Promise<void>;
}

export function creditsOfRun(
  database: Pick<Database, 'tenant'>,
  work: ClaimedWork,
  creditsPerDay: number | null,
): CreditsOfRun {
  const { organizationId, groupId: runId, lease } = work;
  const stopRun = () =>
    database.tenant([organizationId], (sql) => markStopping(sql, runId, 'credits'));
  if (creditsPerDay === null) {
    return { payEarlierHolders: async () => undefined, areUsedUp: async () => false, stopRun };
  }
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
        if ((await readSpentToday(sql, organizationId)) < creditsPerDay) {
          return isStopping(sql, runId);
        }
        await markStopping(sql, runId, 'credits');
        return true;
      }),
    stopRun,
  };
}
