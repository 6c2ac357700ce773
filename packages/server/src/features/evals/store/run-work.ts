/** The leased work of a run: slices of its trials, and after its end the judging of them. */
import type { Slice } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { addWork, closeWork } from '../../../platform/work/store/leased-work.ts';
import type { RunLocation } from './run-location.ts';

export const trialsWork = 'eval-trials';
export const judgementsWork = 'eval-judgements';

/** As many trials are judged side by side, and written together. */
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

/** Nobody who held a slice of the run can write any more. The caller holds the run. */
export async function closeSlices(sql: Sql, runId: string): Promise<void> {
  await closeWork(sql, { kind: trialsWork, groupId: runId });
}

/** Runs are judged side by side, and each of them one part after the other. */
export async function addJudging(
  sql: Sql,
  { organizationId, projectId, runId }: RunLocation,
): Promise<void> {
  const [row] = await sql<{ last: number | null }[]>`
    select max(ordinal) as last from eval_iterations where run_id = ${runId}`;
  // A run without trials still has its judge answered.
  const parts = Math.max(1, Math.ceil((row?.last ?? 0) / judgedTogether));
  await addWork(
    sql,
    { kind: judgementsWork, id: runId, organizationId, projectId, atOnce: 1 },
    Array.from({ length: parts }, (_, part) => ({
      firstItem: part * judgedTogether + 1,
      lastItem: (part + 1) * judgedTogether,
    })),
  );
}

export async function closeJudging(sql: Sql, runId: string): Promise<void> {
  await closeWork(sql, { kind: judgementsWork, groupId: runId });
}

export async function listOverdueRuns(sql: Sql): Promise<RunLocation[]> {
  return sql`select * from overdue_runs()`;
}
