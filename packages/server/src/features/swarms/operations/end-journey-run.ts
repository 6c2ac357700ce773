/**
 * Ends a journey run early, after it was canceled or at its deadline. The caller must hold the lock
 * of the run's row.
 */
import type { JourneyRunError } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { endOpenAttempts, settleJourneyRun } from '../store/end-session-attempts.ts';
import type { StoredJourneyRun } from '../store/journey-runs.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { stoppedChain } from './end-of-session.ts';

/** Ends the run. Returns the number of attempts that were still open and are now ended. */
export async function endJourneyRun(
  sql: Sql,
  { id: runId }: Pick<StoredJourneyRun, 'id'>,
  error: JourneyRunError,
): Promise<number> {
  const chain = stoppedChain(error, await findJourneySnapshot(sql, runId));
  const ended = await endOpenAttempts(sql, { runId }, error, chain);
  await settleJourneyRun(sql, runId, error);
  return ended;
}
