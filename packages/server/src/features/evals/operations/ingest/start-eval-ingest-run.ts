import type { Action } from '../../../../platform/operations/action.ts';
import { openRun } from './open-run.ts';
import { presentReportedRun } from './present-reported-run.ts';

export const startEvalIngestRun: Action<'startEvalIngestRun'> = async (context, { body }) => {
  const { run, reused } = await context.tenant((sql) => openRun(sql, context, body));
  return { ...presentReportedRun(run), reused };
};
