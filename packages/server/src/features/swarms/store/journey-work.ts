import { type JourneySnapshot, ordinalsInOrderOfWork } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { addWork, closeItems, closeWork } from '../../../platform/work/store/leased-work.ts';
import type { RunLocation } from '../../evals/index.ts';

export const journeySessionsWork = 'journey-sessions';
/** Work that grades one session. The id of its work group is the session id. */
export const journeyGradingsWork = 'journey-gradings';

export async function addSessionsWork(
  sql: Sql,
  { organizationId, projectId, runId }: RunLocation,
  snapshot: JourneySnapshot,
): Promise<void> {
  const atOnce = snapshot.limits.sessionsPerRun;
  await addWork(
    sql,
    { kind: journeySessionsWork, id: runId, organizationId, projectId, atOnce },
    ordinalsInOrderOfWork(snapshot).map((item) => ({ firstItem: item, lastItem: item })),
  );
}

export async function addGradingWork(
  sql: Sql,
  { organizationId, projectId }: Pick<RunLocation, 'organizationId' | 'projectId'>,
  sessionId: string,
): Promise<void> {
  const group = { kind: journeyGradingsWork, id: sessionId, organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: 1, lastItem: 1 }]);
}

/**
 * The SQL condition for a running attempt that no worker leases: its worker released it, or was
 * silent until the lease ended.
 */
export function isLeft(sql: Sql): Fragment {
  return sql`(attempt.status = 'running' and not exists (
    select from leased_work where kind = ${journeySessionsWork} and group_id = attempt.run_id
      and first_item = attempt.ordinal and leased_work.status = 'leased' and leased_until > clock_timestamp()))`;
}

/**
 * Ends the work on all sessions of a run, so that workers can no longer write to them. The caller
 * must hold the lock of the run.
 */
export async function closeSessionsWork(sql: Sql, runId: string): Promise<void> {
  await closeWork(sql, { kind: journeySessionsWork, groupId: runId });
}

export async function closeSessionWork(
  sql: Sql,
  runId: string,
  ordinals: readonly number[],
): Promise<void> {
  await closeItems(sql, { kind: journeySessionsWork, groupId: runId }, ordinals);
}
