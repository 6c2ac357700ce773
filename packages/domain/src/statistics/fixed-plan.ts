/**
 * The plan with a fixed number of trials: the smallest number for which an exact binomial test
 * keeps both stated error rates. Fewer than `passes` passed trials fail the case.
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

/** More trials than anybody plays, and few enough to compute with. */
const mostFixedTrials = 10_000_000;
const tolerance = 1e-12;

/** Returns the plan; null if ten million trials are not enough. */
export function fixedPlan(terms: FixedTerms): FixedPlan | null {
  if (!couldDecide(terms, mostFixedTrials)) return null;
  const { healthyRate, drop, falseFail } = terms;
  let trials = fewestThatCouldDecide(terms);
  let passes = mostPasses(trials, healthyRate, falseFail);
  for (; trials <= mostFixedTrials; trials += 1) {
    const healthy = { trials, rate: healthyRate };
    // One trial more allows at most one passed trial more.
    if (chanceOfFewer(passes + 1, healthy) <= falseFail + tolerance) passes += 1;
    const miss = chanceOfAtLeast(passes, { trials, rate: healthyRate - drop });
    if (miss <= terms.miss + tolerance) {
      return { trials, passes, falseFail: chanceOfFewer(passes, healthy), miss };
    }
  }
  return null;
}

/**
 * Whether the best test of so many trials keeps both error rates if it may draw lots at one count.
 * No test of at most so many trials does better, a sequential one included, and with more trials or
 * a larger drop it never does worse. Therefore this is a bound to begin a search at.
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

/** Returns the most passed trials that may be required without failing a healthy case too often. */
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
