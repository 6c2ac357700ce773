/**
 * Adds prepared trials to a run whose row is locked. A trial that is already there, or twice in the batch, is
 * passed over. A run that has ended takes nothing new.
 */
import type { Sql } from '../../storage/database.ts';
import type { EvalRun } from '../../storage/eval-runs.ts';
import {
  insertIterations,
  type NewIteration,
  recordedExternalIds,
} from '../../storage/record-iterations.ts';
import { resolveCases, type WantedCase } from '../../storage/reported-cases.ts';
import { type ProjectContext, refuse } from '../action.ts';
import type { PreparedIteration } from './prepare-iterations.ts';

export async function appendIterations(
  sql: Sql,
  context: ProjectContext,
  run: EvalRun,
  prepared: readonly PreparedIteration[],
): Promise<{ inserted: number; skipped: number; total: number }> {
  const seen = await recordedExternalIds(
    sql,
    run.id,
    prepared.flatMap(({ externalId }) => externalId ?? []),
  );
  const added: PreparedIteration[] = [];
  for (const iteration of prepared) {
    if (iteration.externalId !== null) {
      if (seen.has(iteration.externalId)) continue;
      seen.add(iteration.externalId);
    }
    added.push(iteration);
  }
  const counts = {
    inserted: added.length,
    skipped: prepared.length - added.length,
    total: prepared.length,
  };
  if (added.length === 0) return counts;
  if (run.status !== 'running') {
    refuse({
      code: 'CONFLICT',
      message: 'The run has ended and takes no new iterations.',
      details: { runId: run.id, status: run.status, newIterations: added.length },
    });
  }
  await insertIterations(sql, run, await withCases(sql, context, run, added));
  return counts;
}

async function withCases(
  sql: Sql,
  context: ProjectContext,
  run: EvalRun,
  added: readonly PreparedIteration[],
): Promise<NewIteration[]> {
  const wanted = new Map<string, WantedCase>();
  for (const { identity, title, isNegative } of added) {
    if (!wanted.has(identity.caseKey))
      wanted.set(identity.caseKey, { ...identity, title, isNegative });
  }
  const suite = {
    suiteId: run.suiteId,
    organizationId: run.organizationId,
    newCaseId: () => context.newId('evalCase'),
  };
  const ids = await resolveCases(sql, suite, wanted);
  return added.map(({ identity, isNegative: _isNegative, numberIn, ...row }) => ({
    ...row,
    iterationNumber: numberIn(run.externalRunId),
    caseId: ids.get(identity.caseKey) as string,
  }));
}
