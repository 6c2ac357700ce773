/**
 * Finds the run that the path names. A missing run and a run of another project get the same
 * response.
 */
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
