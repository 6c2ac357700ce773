import type { Action } from '../../../../platform/operations/action.ts';
import { findInsights } from '../../../insights/index.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { calledNothing } from '../../store/called-nothing.ts';
import { findWaiverInForce } from '../../store/gate-waivers.ts';
import { findLeftOut } from '../../store/left-out.ts';
import { tallyRefusedTools } from '../../store/refused-calls.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { readSpendingWithJudges } from '../../store/spending-of-run.ts';
import { countWarnedTrials } from '../../store/warned-trials.ts';
import { findRun } from './find-run.ts';
import { presentInsights } from './present-insights.ts';
import { hasEnded, presentRun } from './present-run.ts';

export const getEvalRun: Action<'getEvalRun', EvalsParts> = async (context, { params }) => {
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
