/**
 * Finds the smallest drop, as a multiple of 0.001, for which a plan within the limit of trials
 * exists. Counts are integers, so a drop may have no plan although a smaller drop has one. Drops
 * are therefore tried one by one, beginning where the best possible test could decide.
 */
import { couldDecide } from './fixed-plan.ts';
import type { PlanTerms } from './stated-trial-plan.ts';

const perUnit = 1000;

export function smallestDropOfPlan(
  terms: PlanTerms,
  mostTrials: number,
  hasPlan: (drop: number) => boolean,
): number | null {
  const { healthyRate } = terms;
  const most = Math.ceil(healthyRate * perUnit) - 1;
  const isPossible = (drop: number) => couldDecide({ ...terms, drop }, mostTrials);
  for (let drop = firstMultiple(most, isPossible); drop <= most; drop += 1) {
    if (hasPlan(drop / perUnit)) return drop / perUnit;
  }
  return null;
}

/**
 * Returns the first multiple up to `most` for which `holds` is true. For all larger multiples,
 * `holds` must be true too.
 */
export function firstMultiple(most: number, holds: (value: number) => boolean): number {
  let fails = 0;
  let found = most + 1;
  while (found - fails > 1) {
    const middle = Math.floor((fails + found) / 2);
    if (holds(middle / perUnit)) found = middle;
    else fails = middle;
  }
  return found;
}
