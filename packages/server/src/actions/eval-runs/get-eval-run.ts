import { countEndedTrials } from '../../storage/eval-iterations.ts';
import { findWaiverInForce } from '../../storage/gate-waivers.ts';
import type { Action } from '../action.ts';
import { findRun } from './find-run.ts';
import { hasEnded, presentRun } from './present-run.ts';

/** Of a run of our own every trial has its row from the launch on; while it goes on, those that ended are counted. */
export const getEvalRun: Action<'getEvalRun'> = async (context, { params }) => {
  const now = new Date();
  return context.tenant(async (sql) => {
    const [run, waiver] = await Promise.all([
      findRun(sql, context.project.id, params.runId),
      findWaiverInForce(sql, params.runId, now),
    ]);
    const shown = presentRun(run, waiver, now);
    if (run.source === 'sdk' || hasEnded(run)) return shown;
    return { ...shown, iterationCount: await countEndedTrials(sql, run.id) };
  });
};
