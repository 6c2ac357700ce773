/** Returns the run of the path, or the one response for every id that does not exist. */
import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as evalRuns from '../../store/eval-runs.ts';

export async function findRun(
  sql: Sql,
  projectId: string,
  runId: string,
): Promise<evalRuns.StoredRun> {
  return (await evalRuns.readRun(sql, projectId, runId)) ?? refuse(notFound);
}
