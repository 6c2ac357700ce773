/**
 * Ends attempts of journey runs, and ends runs that have no open attempt. The caller must hold the
 * lock of the run.
 */
import {
  type AttemptCounts,
  type AttemptErrorCode,
  attemptEnds,
  type JourneyRunError,
  type JourneyRunStatus,
  journeyRunStatus,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { dropJourneyPins } from './journey-snapshots.ts';
import { closeSessionsWork, closeSessionWork, isLeft } from './journey-work.ts';
import { followEndOfRun } from './waves.ts';

/**
 * The attempts of a run to end: the pending ones of the given target, or, without a target, all
 * open ones.
 */
export interface AttemptsToEnd {
  readonly runId: string;
  readonly pendingOfTarget?: string;
}

/**
 * Ends the selected attempts of a run, stores the chain (stage results) of a stopped session with
 * each, and returns their number. Their workers can no longer write.
 */
export async function endOpenAttempts(
  sql: Sql,
  { runId, pendingOfTarget }: AttemptsToEnd,
  errorCode: AttemptErrorCode,
  chain: object,
): Promise<number> {
  const { status, message } = attemptEnds[errorCode];
  const which =
    pendingOfTarget === undefined
      ? sql`status in ('pending', 'running')`
      : sql`(status = 'pending' or ${isLeft(sql)}) and target_id = ${pendingOfTarget}`;
  const open = await sql<{ ordinal: number }[]>`
    select ordinal from journey_attempts attempt where run_id = ${runId} and ${which} order by ordinal`;
  const ordinals = open.map(({ ordinal }) => ordinal);
  if (ordinals.length === 0) return 0;
  // Locks the leased work before the attempts, in the same order as the writing of a turn, to avoid
  // a deadlock.
  await closeSessionWork(sql, runId, ordinals);
  await sql`
    update journey_attempts set status = ${status}, error_code = ${errorCode}, error_message = ${message}
    where run_id = ${runId} and ordinal = any (${ordinals})`;
  await sql`
    update swarm_sessions set outcome = ${status}, chain = ${JSON.stringify(chain)},
      last_activity_at = clock_timestamp()
    where run_id = ${runId} and ordinal = any (${ordinals})`;
  await countEnded(sql, runId, status, ordinals.length);
  return ordinals.length;
}

export async function countEnded(
  sql: Sql,
  runId: string,
  status: 'succeeded' | 'failed' | 'rate_limited',
  ended: number,
): Promise<void> {
  const by = (one: typeof status) => (one === status ? ended : 0);
  await sql`
    update journey_runs set succeeded = succeeded + ${by('succeeded')}, failed = failed + ${by('failed')},
      rate_limited = rate_limited + ${by('rate_limited')}, revision = revision + 1
    where id = ${runId}`;
}

/** Ends the run if no attempt is open or `error` is given, and returns the run's status. */
export async function settleJourneyRun(
  sql: Sql,
  runId: string,
  error: JourneyRunError | null = null,
): Promise<JourneyRunStatus> {
  const [counts] = await sql<AttemptCounts[]>`
    select total, succeeded, failed, rate_limited from journey_runs where id = ${runId}`;
  if (counts === undefined) throw new Error('Internal fault: the locked run does not exist.');
  const status = journeyRunStatus(counts, error);
  if (status === 'running') return status;
  await closeSessionsWork(sql, runId);
  await dropJourneyPins(sql, runId);
  await sql`
    update journey_runs set status = ${status}, error = ${error}, canceled = ${error === 'canceled'},
      stale = ${error === 'stale_runner'}, completed_at = clock_timestamp(), revision = revision + 1
    where id = ${runId}`;
  await followEndOfRun(sql, runId);
  return status;
}
