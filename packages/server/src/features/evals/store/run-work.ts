import type { Slice } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { addWork, closeWork } from '../../../platform/work/store/leased-work.ts';
import type { RunLocation } from './run-location.ts';

export const trialsWork = 'eval-trials';
export const judgementsWork = 'eval-judgements';

/** The number of trials that are judged concurrently and written together. */
const judgedTogether = 8;

export async function addSlices(
  sql: Sql,
  { organizationId, projectId, runId }: RunLocation,
  slices: readonly Slice[],
  atOnce: number,
): Promise<void> {
  await addWork(
    sql,
    { kind: trialsWork, id: runId, organizationId, projectId, atOnce },
    slices.map(({ firstOrdinal, lastOrdinal }) => ({
      firstItem: firstOrdinal,
      lastItem: lastOrdinal,
    })),
  );
}

/**
 * Ends the work on all slices, so that no worker can write to them any more. The caller must hold
 * the run's lock.
 */
export async function closeSlices(sql: Sql, runId: string): Promise<void> {
  await closeWork(sql, { kind: trialsWork, groupId: runId });
}

/**
 * Queues the judging of a run in parts of a few trials. Different runs are judged concurrently, the
 * parts of one run one after another.
 */
export async function addJudging(
  sql: Sql,
  { organizationId, projectId, runId }: RunLocation,
): Promise<void> {
  // Ordinals may have gaps for trials that never began, so each part is a fixed number of rows.
  const parts = await sql<{ firstItem: number; lastItem: number }[]>`
    select min(ordinal) as first_item, max(ordinal) as last_item
    from (
      select ordinal, (row_number() over (order by ordinal) - 1) / ${judgedTogether} as part
      from eval_iterations where run_id = ${runId}) trials
    group by part order by part`;
  // A run without trials still needs one part, so that the judge's request is completed.
  const group = { kind: judgementsWork, id: runId, organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, parts.length > 0 ? parts : [{ firstItem: 1, lastItem: 1 }]);
}

export async function closeJudging(sql: Sql, runId: string): Promise<void> {
  await closeWork(sql, { kind: judgementsWork, groupId: runId });
}

export async function listOverdueRuns(sql: Sql): Promise<RunLocation[]> {
  return sql`select * from overdue_runs()`;
}
