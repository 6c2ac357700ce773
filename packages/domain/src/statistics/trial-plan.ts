/**
 * A trial plan plays as many trials as the answer needs. The author states a healthy pass rate, a
 * relevant drop, and the allowed rates of false fails and misses. After each look (an interim
 * check), Wald's sequential probability ratio test decides whether to stop, up to a cap. The cap is
 * the smallest number of trials that keeps both exact error rates.
 *
 * A plan passes only at a pass rate of at least `passThreshold` and fails only below. Verdict
 * policy v2 with that threshold therefore always agrees with the plan.
 */
import { checkValue } from '../kernel/check-value.ts';
import { type Bounds, passesAtCap, planBounds, thresholdAtCap } from './plan-bounds.ts';
import { type PlanWalk, playLook, startWalk, stopAtCap, stopAtLook } from './plan-walk.ts';
import { smallestDropOfPlan } from './smallest-drop-of-plan.ts';
import { type PlanTerms, planTerms, StatedTrialPlan } from './stated-trial-plan.ts';

export const mostPlannedTrials = 200;
/** The tolerance for comparing chances, since sums of chances are inexact. */
const tolerance = 1e-12;

export interface TrialPlan extends PlanTerms, Bounds {
  readonly regressedRate: number;
  readonly cap: number;
  /** The lowest pass rate that passes, under the trial plan and under the verdict policy. */
  readonly passThreshold: number;
  readonly exactFalseFail: number;
  readonly exactMiss: number;
}

export interface PlanRefusal {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Present if the plan needs too many trials; null if no drop is large enough. */
  readonly smallestDrop?: number | null;
}

/**
 * Returns the plan of one case, or the reason why there is none. With the scope `run`, each of
 * `cases` cases gets an equal share of the allowed rate of false fails.
 */
export function makeTrialPlan(
  stated: StatedTrialPlan,
  cases = 1,
): { readonly plan: TrialPlan } | { readonly refusal: PlanRefusal } {
  const read = checkValue(StatedTrialPlan, stated);
  if ('problems' in read) {
    const [{ path, message }] = read.problems;
    return { refusal: { path, message } };
  }
  const terms = planTerms(read.value, cases);
  const found = planOrSmallestDrop(terms);
  return 'plan' in found ? found : { refusal: tooLarge(terms, found.smallestDrop) };
}

export function passingScoreOf(stated: StatedTrialPlan | undefined): number | undefined {
  const made = stated && makeTrialPlan(stated);
  return made && 'plan' in made ? made.plan.passThreshold : undefined;
}

export function planOrSmallestDrop(
  terms: PlanTerms,
): { readonly plan: TrialPlan } | { readonly smallestDrop: number | null } {
  const plan = planOf(terms);
  if (plan !== undefined) return { plan };
  const hasPlan = (drop: number) => planOf({ ...terms, drop }) !== undefined;
  return { smallestDrop: smallestDropOfPlan(terms, mostPlannedTrials, hasPlan) };
}

/** Returns the plan; undefined if it needs more than `mostPlannedTrials` trials. */
export function planOf(terms: PlanTerms): TrialPlan | undefined {
  const { healthyRate, drop, look } = terms;
  const regressedRate = healthyRate - drop;
  if (regressedRate <= 0 || regressedRate >= healthyRate) return undefined;
  const bounds = planBounds({ ...terms, regressedRate });
  let healthy: PlanWalk = startWalk();
  let regressed: PlanWalk = startWalk();
  for (let cap = look; cap <= mostPlannedTrials; cap += look) {
    healthy = playLook(healthy, look, healthyRate);
    regressed = playLook(regressed, look, regressedRate);
    const passes = passesAtCap(bounds, cap);
    const exactFalseFail = stopAtCap(healthy, passes).fails;
    const exactMiss = stopAtCap(regressed, passes).passes;
    if (exactFalseFail <= terms.falseFail + tolerance && exactMiss <= terms.miss + tolerance) {
      const passThreshold = thresholdAtCap(bounds, cap);
      return { ...terms, ...bounds, regressedRate, cap, passThreshold, exactFalseFail, exactMiss };
    }
    healthy = stopAtLook(healthy, bounds);
    regressed = stopAtLook(regressed, bounds);
  }
  return undefined;
}

function tooLarge(terms: PlanTerms, smallestDrop: number | null): PlanRefusal {
  const most = `The plan needs more than ${mostPlannedTrials} trials for a drop of ${terms.drop}.`;
  const message =
    smallestDrop === null
      ? `${most} No drop from ${terms.healthyRate} is large enough; state larger error rates.`
      : `${most} State a drop of at least ${smallestDrop}, or larger error rates.`;
  return { path: ['drop'], message, smallestDrop };
}

/**
 * Returns the chance that a run of healthy cases fails, from the rate of false fails of each
 * planned case.
 */
export function falseFailOfRun(falseFails: readonly number[]): number {
  // Logarithms keep the precision of tiny chances.
  return 0 - Math.expm1(falseFails.reduce((sum, falseFail) => sum + Math.log1p(-falseFail), 0));
}
