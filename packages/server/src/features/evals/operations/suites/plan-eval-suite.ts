/**
 * Returns the number of trials needed to detect a drop of the pass rate. Plans a run like a real
 * launch, but writes nothing.
 */
import { type CostOfTrial, estimateRun, forecastStated, variantOf } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { readMinutesPerTrial } from '../../store/minutes-per-trial.ts';
import { readTokensPerTrial } from '../../store/spending-of-run.ts';
import { launchDependenciesOf } from '../runs/launch-dependencies-of.ts';
import { prepareSaved } from '../runs/prepare-launch.ts';

export const planEvalSuite: Action<'planEvalSuite', EvalsParts> = async (
  context,
  { params, body },
) => {
  const { suiteId } = params;
  return context.tenant(async (sql) => {
    const { plan, unpriced } = await prepareSaved(sql, launchDependenciesOf(context), {}, suiteId);
    const [minutes, tokensPerTrial, judgeTokensPerTrial] = await Promise.all([
      readMinutesPerTrial(sql, suiteId),
      readTokensPerTrial(sql, suiteId, 'trial_step'),
      readTokensPerTrial(sql, suiteId, 'judge'),
    ]);
    const variants = plan.cases.flatMap((planned) =>
      planned.variants.map((variant) => {
        const { model = null, provider = null } = variant;
        const taken = minutes.get(variantOf({ caseId: planned.caseId, model, provider }));
        // Without its trial plan, the variant has exactly one trial, whose cost is estimated here.
        const { trialPlan: _, ...once } = variant;
        const alone = { ...planned, variants: [{ ...once, repetitions: 1 }] };
        const costOfOne = (): CostOfTrial['credits'] =>
          estimateRun({
            plan: { cases: [alone], ...(plan.judge && { judge: plan.judge }) },
            prices: plan.prices ?? [],
            unpriced,
            tokensPerTrial,
            judgeTokensPerTrial,
            creditsLeft: null,
          }).credits;
        const cost = taken === undefined ? undefined : { credits: costOfOne(), minutes: taken };
        return { planned, variant, cost };
      }),
    );
    const outcome = forecastStated(variants, body);
    if ('refusal' in outcome) return refuse(outcome.refusal);
    const { cases, run } = outcome.forecast;
    return { suiteId, drop: body.drop, cases: [...cases], run };
  });
};
