import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../../platform/operations/action.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';

/** Locks the run until the transaction ends. Rejects runs that this service executes. */
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
      message: 'Proofmark itself executes this run, so it accepts no reported results.',
    });
  }
  return run;
}
