import { isBuiltInModel } from '../clients/lexical-model.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { asksOwnScorer } from '../own-scorers/stated-scorers.ts';
import type { VariantPlan } from '../statistics/follow-plan.ts';
import type { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { makeTrialPlan, type TrialPlan } from '../statistics/trial-plan.ts';
import type { TrialsOrPlan } from './case-trials.ts';
import type { CaseToWarnOf } from './case-warnings.ts';
import { goalsOf } from './name-judges.ts';
import type { PlannedCase, PlannedVariant } from './planned-case.ts';

/**
 * Returns undefined if the plan can be carried out. `path` is the path of the plan in the request.
 */
export function planRefusal(
  stated: StatedTrialPlan,
  path: string,
  variants = 1,
): Refusal | undefined {
  const made = makeTrialPlan(stated, variants);
  if ('plan' in made) return undefined;
  const { message, smallestDrop } = made.refusal;
  if (smallestDrop === undefined) {
    return invalid([path, ...made.refusal.path].join('.'), message);
  }
  return invalid(path, message, { reason: 'PLAN_TOO_LARGE', smallestDrop });
}

/**
 * Returns whether all trials of the variant have the same result: it and its judges use no model or
 * the built-in model. A variant whose steps ask no model may still have a model, since a server may
 * ask for it in the middle of a call.
 */
export function isDeterministic(
  planned: Pick<PlannedCase, 'steps' | 'assertions'>,
  { model }: Pick<PlannedVariant, 'model'>,
): boolean {
  if (model !== undefined && !isBuiltInModel(model)) return false;
  if (asksOwnScorer(planned)) return false;
  return goalsOf(planned).every(
    ({ judgeModel }) => judgeModel !== undefined && isBuiltInModel(judgeModel),
  );
}

export function planRefusalOfCase({ path, definition }: CaseToWarnOf): Refusal | undefined {
  const { trials } = definition;
  return trials === undefined ? undefined : planRefusal(trials, `${path}.trials`);
}

interface CaseToFollow {
  readonly planned: PlannedCase;
  readonly trials: TrialsOrPlan;
}

/**
 * Gives each variant of a case with a trial plan its plan. Variants with the same stated plan share
 * one plan object.
 */
export function planVariants(
  cases: readonly CaseToFollow[],
): { readonly cases: PlannedCase[] } | { readonly refusal: Refusal } {
  const planned = cases.filter(({ trials }) => 'stated' in trials);
  const variants = planned.reduce((sum, one) => sum + one.planned.variants.length, 0);
  const plans = new Map<StatedTrialPlan, TrialPlan>();
  const withPlans: PlannedCase[] = [];
  for (const { planned: one, trials } of cases) {
    if (!('stated' in trials)) {
      withPlans.push(one);
      continue;
    }
    let plan = plans.get(trials.stated);
    if (plan === undefined) {
      const made = makeTrialPlan(trials.stated, variants);
      if ('refusal' in made) {
        const place = { launch: 'body.trials', suite: suitePath, case: 'trials' }[trials.statedBy];
        const refusal = planRefusal(trials.stated, place, variants);
        if (refusal !== undefined) return { refusal };
        throw new Error('Internal fault: a trial plan was refused without a reason.');
      }
      plan = made.plan;
      plans.set(trials.stated, plan);
    }
    withPlans.push(withPlan(one, plan));
  }
  return { cases: withPlans };
}

const suitePath = 'settings.verdictPolicyDefaults.trials';

function withPlan(one: PlannedCase, plan: TrialPlan): PlannedCase {
  const variants = one.variants.map((variant): PlannedVariant => {
    const isOnce = isDeterministic(one, variant);
    const trialPlan: VariantPlan = isOnce ? { ...plan, isDeterministic: true } : plan;
    return { ...variant, repetitions: isOnce ? 1 : plan.cap, trialPlan };
  });
  return { ...one, passThreshold: plan.passThreshold, variants };
}
