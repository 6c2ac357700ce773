import type { Action } from '../action.ts';
import { appendIterations } from './append-iterations.ts';
import { lockReportedRun } from './find-reported-run.ts';
import { prepareIterations } from './prepare-iterations.ts';

export const ingestEvalRunIterations: Action<'ingestEvalRunIterations'> = async (
  context,
  { body },
) => {
  const prepared = await prepareIterations(body.results, {
    numberByPlace: false,
    newId: () => context.newId('evalIteration'),
  });
  const counts = await context.tenant(async (sql) => {
    const run = await lockReportedRun(sql, context, body.runId);
    return appendIterations(sql, context, run, prepared);
  });
  return { ok: true, ...counts };
};
