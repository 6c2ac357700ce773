/**
 * Adds prepared trials to a run whose row is locked. A trial that is already there, or twice in the batch, is
 * passed over. A run that has ended takes nothing new.
 */
import { numberInId } from '@proofmark/domain';
import type { Sql } from '../../storage/database.ts';
import type { EvalRun } from '../../storage/eval-runs.ts';
import { insertTrials, recordedExternalIds } from '../../storage/record-iterations.ts';
import { resolveCases, type WantedCase } from '../../storage/reported-cases.ts';
import { type ProjectContext, refuse } from '../action.ts';
import type { PreparedTrial } from './prepare-trials.ts';

export async function appendTrials(
  sql: Sql,
  context: ProjectContext,
  run: EvalRun,
  prepared: readonly PreparedTrial[],
): Promise<{ inserted: number; skipped: number; total: number }> {
  const seen = await recordedExternalIds(
    sql,
    run.id,
    prepared.flatMap(({ row }) => row.externalId ?? []),
  );
  const added: PreparedTrial[] = [];
  for (const trial of prepared) {
    const { externalId } = trial.row;
    if (externalId !== undefined) {
      if (seen.has(externalId)) continue;
      seen.add(externalId);
    }
    added.push(trial);
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
  await findCases(sql, context, run, added);
  await insertTrials(sql, run, added);
  return counts;
}

async function findCases(
  sql: Sql,
  context: ProjectContext,
  run: EvalRun,
  added: readonly PreparedTrial[],
): Promise<void> {
  const wanted = new Map<string, WantedCase>();
  for (const { identity, row, isNegative } of added) {
    if (wanted.has(identity.caseKey)) continue;
    wanted.set(identity.caseKey, { ...identity, title: row.title, isNegative });
  }
  const suite = {
    suiteId: run.suiteId,
    organizationId: run.organizationId,
    newCaseId: () => context.newId('evalCase'),
  };
  const ids = await resolveCases(sql, suite, wanted);
  for (const trial of added) {
    trial.row.caseId = ids.get(trial.identity.caseKey);
    trial.row.iterationNumber ??=
      numberInId(trial.row.externalId, run.externalRunId) ?? trial.place;
  }
}
