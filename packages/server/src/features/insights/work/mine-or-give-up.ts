import type { Database, Sql } from '../../../platform/database/database.ts';
import { isLastAttempt, isSpent } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import { type ClaimedWork, completeWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkLog } from '../../../platform/work/work-kind.ts';

/**
 * Makes one attempt at mining (deriving findings). `mineOnce` completes the work itself, in the
 * transaction that writes its findings.
 */
export async function mineOrGiveUp(
  { database, log }: { readonly database: Database; readonly log: WorkLog },
  work: ClaimedWork,
  attempt: WorkAttempt,
  mined: {
    readonly what: string;
    readonly mineOnce: () => Promise<void>;
    /** Called in the transaction that ends the work, if all attempts failed. */
    givenUp?(sql: Sql): Promise<void>;
  },
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  if (!isSpent(work)) {
    try {
      await mined.mineOnce();
      return 'completed';
    } catch (error) {
      const isOver = isLastAttempt(work) && !attempt.signal.aborted && !isPassing(error);
      if (!isOver || error instanceof LeaseLost) throw error;
      log.error(
        { err: error, groupId: work.groupId },
        `${mined.what} could not be mined by Proofmark`,
      );
    }
  }
  await retryWhileDatabaseIsAway(
    () =>
      database.tenant([work.organizationId], async (sql) => {
        if ((await completeWork(sql, work)) !== 'lost') await mined.givenUp?.(sql);
      }),
    attempt.signal,
  );
  return 'completed';
}
