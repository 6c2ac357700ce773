/** The run of the path, or the one body that stands for every id that is not there. */
import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import * as evalRuns from '../../storage/eval-runs/eval-runs.ts';
import { refuse } from '../action.ts';

export async function findRun(
  sql: Sql,
  projectId: string,
  runId: string,
): Promise<evalRuns.StoredRun> {
  return (await evalRuns.readRun(sql, projectId, runId)) ?? refuse(notFound);
}
