/**
 * Runs one attempt at claimed work; the work itself records its completion. If the process stops or
 * was paused, or the database was unreachable, the work is returned and can be claimed at once.
 * Failed work is returned and retried after a pause. If the lease is lost or the group has ended,
 * nothing must be written.
 */
import type { Database } from '../database/database.ts';
import { pauseAfter } from './attempt-limit.ts';
import { joinedSignal } from './joined-signal.ts';
import { type LeaseKeeper, LeaseLost } from './lease-keeper.ts';
import type { LeaseTimes } from './lease-times.ts';
import { isPassing, retryWhileDatabaseIsAway } from './retry-while-database-is-away.ts';
import { type ClaimedWork, returnFailed, returnInterrupted } from './store/leased-work.ts';
import type { WorkKind, WorkLog } from './work-kind.ts';

export interface WorkParts {
  readonly database: Pick<Database, 'tenant'>;
  readonly log: WorkLog;
  readonly times: LeaseTimes;
  readonly leases: LeaseKeeper;
  readonly kind: Pick<WorkKind, 'run'>;
  mayBegin(): boolean;
  readonly signals: { readonly stopping: AbortSignal; readonly leaving: AbortSignal };
}

/**
 * Runs the work. If the work was returned, returns the milliseconds until it may be claimed again.
 */
export async function doWork(
  parts: WorkParts,
  work: ClaimedWork,
  claimedMs: number,
): Promise<number | undefined> {
  const { log, leases, kind, signals } = parts;
  const lease = leases.hold(work, claimedMs);
  // Joined signals are released at the end of the work. The signals of the process live on, and
  // listeners left on them would leak memory.
  const left = joinedSignal([signals.leaving]);
  const joined = joinedSignal([lease.signal, left.signal]);
  const { signal } = joined;
  const giveBack = (pauseMs?: number) =>
    returnWork(parts, work, pauseMs).catch((error: unknown) => {
      // The lease of the work will expire, and another worker then takes over the work.
      log.warn({ err: error, ...placeOf(work) }, 'work could not be given back');
      return undefined;
    });
  try {
    const { stopping } = signals;
    const leaving = left.signal;
    const mayBegin = () => parts.mayBegin();
    const outcome = await kind.run(work, { held: work, stopping, leaving, mayBegin, signal });
    return outcome === 'left' ? await giveBack() : undefined;
  } catch (error) {
    const reason = lease.signal.aborted ? lease.signal.reason : error;
    if (reason instanceof LeaseLost && !reason.wasAway) return undefined;
    if (signal.aborted || isPassing(error)) return await giveBack();
    log.error({ err: error, ...placeOf(work) }, 'Proofmark could not do a piece of work');
    return await giveBack(pauseAfter(work));
  } finally {
    joined.letGo();
    left.letGo();
    lease.drop();
  }
}

/**
 * Returns the work. While the database is unreachable, the return is retried; at a stop, for at
 * most the length of a lease.
 */
async function returnWork(
  { database, times, signals: { leaving } }: WorkParts,
  work: ClaimedWork,
  pauseMs: number | undefined,
): Promise<number> {
  const settle = () =>
    database.tenant([work.organizationId], (sql) =>
      pauseMs === undefined ? returnInterrupted(sql, work) : returnFailed(sql, work, pauseMs),
    );
  const isOver = leaving.aborted ? AbortSignal.timeout(times.leaseMs) : leaving;
  await retryWhileDatabaseIsAway(settle, isOver);
  return pauseMs ?? 0;
}

function placeOf({ kind, groupId, number, attemptCost }: ClaimedWork) {
  return { kind, groupId, number, attemptCost };
}
