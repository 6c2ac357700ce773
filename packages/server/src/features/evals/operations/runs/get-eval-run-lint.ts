import { type LargeResult, largeResults, type RunPlan, readTranscript } from '@proofmark/domain';
import { loadTokenCounter } from '../../../../outside/tokens/load-token-counter.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import { listFailingTraces, listFailingTrials } from '../../store/failing-trials.ts';
import { findRun } from './find-run.ts';
import { presentLint } from './present-lint.ts';
import { readRunPlan } from './read-run-plan.ts';

export const getEvalRunLint: Action<'getEvalRunLint'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId);
    const { plan, servers } = await readRunPlan(sql, context.project.id, run);
    if (servers.length === 0) return presentLint(run.id, servers, {});
    return presentLint(run.id, servers, {
      failing: await listFailingTrials(sql, run.id),
      largeResults: await readLargeResults(sql, run.id, plan),
    });
  });

/** A result above the limit of its case fails the trial, so only failed trials are read. */
async function readLargeResults(
  sql: Sql,
  runId: string,
  plan: RunPlan | undefined,
): Promise<LargeResult[]> {
  const limits = new Map(
    plan?.cases.map(({ caseId, assertions }) => [
      caseId,
      assertions.filter(({ type }) => type === 'maximumResultTokens'),
    ]),
  );
  if ([...limits.values()].every((assertions) => assertions.length === 0)) return [];
  const count = await loadTokenCounter();
  const trials = await listFailingTraces(sql, runId);
  return trials.flatMap(({ caseId, trace }) =>
    largeResults(readTranscript(trace).toolCalls, limits.get(caseId ?? '') ?? [], count),
  );
}
