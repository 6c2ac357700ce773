/**
 * One attempt at claimed work, and what becomes of it. Completed by whoever does it, it is done. Where the process stops
 * or stood still, or the database was away, it is given back and is free at once. Where it failed, it is given back and
 * tried again after a pause. Where the lease was taken over, or the group has ended, there is nothing to settle.
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
  /** Asked again for each step. */
  mayBegin(): boolean;
  readonly signals: { readonly stopping: AbortSignal; readonly leaving: AbortSignal };
}

/** Says after how long the work may be claimed again, where it was given back. */
export async function doWork(
  parts: WorkParts,
  work: ClaimedWork,
  claimedMs: number,
): Promise<number | undefined> {
  const { log, leases, kind, signals } = parts;
  const lease = leases.hold(work, claimedMs);
  // Whatever is made of these signals is let go of with the work; those of the process live on.
  const left = joinedSignal([signals.leaving]);
  const joined = joinedSignal([lease.signal, left.signal]);
  const { signal } = joined;
  const giveBack = (pauseMs?: number) =>
    returnWork(parts, work, pauseMs).catch((error: unknown) => {
      // Its lease runs out, and then it is taken over.
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
    log.error({ err: error, ...placeOf(work) }, 'work could not be done by us');
    return await giveBack(pauseAfter(work));
  } finally {
    joined.letGo();
    left.letGo();
    lease.drop();
  }
}

/** Tried while the database is away, and at a stop for as long as the lease may stand. */
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
