import type { OutputOf } from '@proofmark/contract';
import { buildEnvelope, coverageOfRun, type StoredInsights } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import { findInsights } from '../../../insights/index.ts';
import type { PartModels } from '../../../models/index.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { calledNothing } from '../../store/called-nothing.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { findWaiverInForce } from '../../store/gate-waivers.ts';
import { findLeftOut } from '../../store/left-out.ts';
import { readRunTrialPlans } from '../../store/planned-trials.ts';
import { tallyRefusedTools } from '../../store/refused-calls.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { readSpendingWithJudges } from '../../store/spending-of-run.ts';
import { countWarnedTrials } from '../../store/warned-trials.ts';
import { findRun } from './find-run.ts';
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
      plans: await readRunTrialPlans(sql, run),
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

/** Insights that cannot be presented are omitted, so that the run stays readable. */
function presentInsights(
  run: StoredRun,
  stored: StoredInsights | undefined,
  { insights }: Pick<PartModels, 'insights'>,
): Pick<OutputOf<'getEvalRun'>, 'insights'> {
  const { totalTrials, passedTrials, failedTrials, iterationCount } = run;
  const graded = (passedTrials ?? 0) + (failedTrials ?? 0);
  try {
    const envelope = buildEnvelope(
      {
        scope: { kind: 'eval_run', id: run.id },
        projectId: run.projectId,
        coverage: coverageOfRun(totalTrials ?? iterationCount, graded),
        unavailable: insights === 'off' ? 'insights_off' : hasEnded(run) ? null : 'not_terminal',
        stored,
      },
      sha256Hex,
    );
    return { insights: envelope };
  } catch {
    return {};
  }
}
