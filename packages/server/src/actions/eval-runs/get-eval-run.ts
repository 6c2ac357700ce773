import { findWaiverInForce } from '../../storage/eval-runs/gate-waivers.ts';
import type { Action } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentRun } from './present-run.ts';

export const getEvalRun: Action<'getEvalRun'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const [run, waiver] = await Promise.all([
      findRun(sql, context.project.id, params.runId),
      findWaiverInForce(sql, params.runId),
    ]);
    return presentRun(run, waiver);
  });
};
