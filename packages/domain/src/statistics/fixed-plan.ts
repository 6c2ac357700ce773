/**
 * A plan with a fixed number of trials: the smallest number with which an exact binomial test keeps
 * both stated error rates. A case with fewer than `passes` passed trials fails.
 */
import { chanceOfAtLeast, chanceOfExactly, chanceOfFewer } from './binomial.ts';
import type { PlanTerms } from './stated-trial-plan.ts';

export interface FixedPlan {
  readonly trials: number;
  readonly passes: number;
  readonly falseFail: number;
  readonly miss: number;
}

type FixedTerms = Omit<PlanTerms, 'look'>;

/** More trials than any suite plays, but few enough to compute with. */
const mostFixedTrials = 10_000_000;
const tolerance = 1e-12;

/** Returns null if `mostFixedTrials` trials are not enough. */
export function fixedPlan(terms: FixedTerms): FixedPlan | null {
  if (!couldDecide(terms, mostFixedTrials)) return null;
  const { healthyRate, drop, falseFail } = terms;
  let trials = fewestThatCouldDecide(terms);
  let passes = mostPasses(trials, healthyRate, falseFail);
  for (; trials <= mostFixedTrials; trials += 1) {
    const healthy = { trials, rate: healthyRate };
    // One more trial allows at most one more required pass.
    if (chanceOfFewer(passes + 1, healthy) <= falseFail + tolerance) passes += 1;
    const miss = chanceOfAtLeast(passes, { trials, rate: healthyRate - drop });
    if (miss <= terms.miss + tolerance) {
      return { trials, passes, falseFail: chanceOfFewer(passes, healthy), miss };
    }
  }
  return null;
}

/**
 * Returns whether the best possible test with `trials` trials, a randomised one, keeps both error
 * rates. No other test with as many trials or fewer does better. A search for a plan can therefore
 * begin at this bound.
 */
export function couldDecide(terms: FixedTerms, trials: number): boolean {
  const { healthyRate, drop, falseFail, miss } = terms;
  const regressed = { trials, rate: healthyRate - drop };
  const passes = mostPasses(trials, healthyRate, falseFail);
  const healthy = { trials, rate: healthyRate };
  const left = falseFail - chanceOfFewer(passes, healthy);
  const failShare = Math.min(1, Math.max(0, left / chanceOfExactly(passes, healthy)));
  const missed =
    chanceOfAtLeast(passes + 1, regressed) + (1 - failShare) * chanceOfExactly(passes, regressed);
  return missed <= miss + tolerance;
}

function fewestThatCouldDecide(terms: FixedTerms): number {
  let tooFew = 0;
  let enough = mostFixedTrials;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (couldDecide(terms, middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** Returns the largest number of required passes that keeps the rate of false fails. */
function mostPasses(trials: number, rate: number, falseFail: number): number {
  let allowed = 0;
  let tooMany = trials + 1;
  while (tooMany - allowed > 1) {
    const middle = Math.floor((allowed + tooMany) / 2);
    if (chanceOfFewer(middle, { trials, rate }) <= falseFail + tolerance) allowed = middle;
    else tooMany = middle;
  }
  return allowed;
}
