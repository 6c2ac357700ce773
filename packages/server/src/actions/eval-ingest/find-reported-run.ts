import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readRun, type StoredRun } from '../../storage/eval-runs/eval-runs.ts';
import { type ProjectContext, refuse } from '../action.ts';

/** The run, locked until the transaction ends. Runs of our own engine are not reported to. */
export async function lockReportedRun(
  sql: Sql,
  context: ProjectContext,
  runId: string,
): Promise<StoredRun> {
  const run = await readRun(sql, context.project.id, runId, 'forUpdate');
  if (run === undefined) return refuse(notFound);
  if (run.source !== 'sdk') {
    refuse({
      code: 'CONFLICT',
      message: 'This run is executed here and takes no reported results.',
    });
  }
  return run;
}
