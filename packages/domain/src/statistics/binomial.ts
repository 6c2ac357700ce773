/** Exact chances of a number of passed trials, out of equally likely independent ones. */
import { incompleteBeta, logBeta } from './incomplete-beta.ts';

export interface Trials {
  readonly trials: number;
  /** The chance of each trial to pass. */
  readonly rate: number;
}

/** Returns the chance that at least `passed` trials pass. */
export function chanceOfAtLeast(passed: number, { trials, rate }: Trials): number {
  if (passed <= 0) return 1;
  return passed > trials ? 0 : incompleteBeta(rate, passed, trials - passed + 1);
}

/** Returns the chance that fewer than `passed` trials pass. */
export function chanceOfFewer(passed: number, { trials, rate }: Trials): number {
  return chanceOfAtLeast(trials - passed + 1, { trials, rate: 1 - rate });
}

/** Returns the chance that exactly `passed` trials pass, for a rate between 0 and 1. */
export function chanceOfExactly(passed: number, { trials, rate }: Trials): number {
  const failed = trials - passed;
  const logWays = -Math.log(trials + 1) - logBeta(passed + 1, failed + 1);
  return Math.exp(logWays + passed * Math.log(rate) + failed * Math.log1p(-rate));
}
