/**
 * The smallest drop, as a multiple of 0.001, for which a plan of at most so many trials exists.
 * Whether one exists may change back and forth with the drop, since counts are whole, so drops are
 * tried one by one. The search begins where the best test of so many trials could decide, below
 * which no plan does.
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

/** Returns the first multiple up to `most` that holds; it holds from there on. */
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
