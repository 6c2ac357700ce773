import type { Action } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { openRun } from './open-run.ts';
import { presentReportedRun } from './present-reported-run.ts';

export const startEvalIngestRun: Action<'startEvalIngestRun', EvalsParts> = async (
  context,
  { body },
) => {
  const { run, reused } = await context.tenant((sql) => openRun(sql, context, body));
  return { ...presentReportedRun(run), reused };
};
