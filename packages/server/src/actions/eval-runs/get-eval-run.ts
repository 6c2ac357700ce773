import { calledNothing } from '../../storage/eval-runs/called-nothing.ts';
import { findWaiverInForce } from '../../storage/eval-runs/gate-waivers.ts';
import { findLeftOut } from '../../storage/eval-runs/left-out.ts';
import { tallyRefusedTools } from '../../storage/eval-runs/refused-calls.ts';
import { findRunPlan } from '../../storage/eval-runs/run-plans.ts';
import { countWarnedTrials } from '../../storage/eval-runs/warned-trials.ts';
import { findInsights } from '../../storage/insights/scope-insights.ts';
import { readSpendingWithJudges } from '../../storage/spending/spending-of-run.ts';
import type { Action } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentInsights } from './present-insights.ts';
import { hasEnded, presentRun } from './present-run.ts';

export const getEvalRun: Action<'getEvalRun'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const [run, waiver, insights, warnedTrials, refusedCalls] = await Promise.all([
      findRun(sql, context.project.id, params.runId),
      findWaiverInForce(sql, params.runId),
      findInsights(sql, 'eval_run', params.runId),
      countWarnedTrials(sql, params.runId),
      tallyRefusedTools(sql, params.runId),
    ]);
    const isKnown = hasEnded(run) && run.source !== 'sdk';
    const spending = isKnown ? await readSpendingWithJudges(sql, run.id) : undefined;
    const nothingCalled = await calledNothing(sql, run);
    const leftOut = await findLeftOut(sql, run);
    const { overlay } = run.snapshot;
    const stated = overlay && (await findRunPlan(sql, run.id))?.overlay;
    return {
      ...presentRun(run, waiver),
      ...(overlay && { overlay: { ...overlay, ...(stated && { stated }) } }),
      ...presentInsights(run, insights, context.partModels),
      ...(spending && { spending }),
      ...(warnedTrials && { warnedTrials }),
      ...(refusedCalls.length > 0 && { refusedCalls }),
      ...(leftOut && { leftOut }),
      ...(nothingCalled && { nothingCalled }),
    };
  });
};
