import type { Sql } from '../../../platform/database/database.ts';
import type { StoredRun } from './eval-runs.ts';

type StoredMark = Pick<StoredRun, 'status' | 'iterationCount' | 'revision'> & {
  readonly runId: string;
};

/** The revision changes with every change of the run. */
export async function readRunRevision(
  sql: Sql,
  projectId: string,
  runId: string,
): Promise<StoredMark | undefined> {
  const [row] = await sql<StoredMark[]>`
    select id as "runId", status, iteration_count as "iterationCount", revision from eval_runs
    where id = ${runId} and project_id = ${projectId}`;
  return row;
}
