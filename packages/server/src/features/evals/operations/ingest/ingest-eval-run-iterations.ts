import type { Action } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { appendTrials } from './append-trials.ts';
import { lockReportedRun } from './find-reported-run.ts';
import { prepareTrials } from './prepare-trials.ts';

export const ingestEvalRunIterations: Action<'ingestEvalRunIterations', EvalsParts> = async (
  context,
  { body },
) => {
  const prepared = await prepareTrials(body.results, {
    newId: () => context.newId('evalIteration'),
  });
  const counts = await context.tenant(async (sql) => {
    const run = await lockReportedRun(sql, context, body.runId);
    const { counts, quota } = await appendTrials(sql, context, run, prepared);
    await quota.count();
    return counts;
  });
  return { ok: true, ...counts };
};
