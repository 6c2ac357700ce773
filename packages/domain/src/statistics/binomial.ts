/**
 * Exact binomial probabilities of the number of passed trials, for independent trials with equal
 * pass rates.
 */
import { incompleteBeta, logBeta } from './incomplete-beta.ts';

export interface Trials {
  readonly trials: number;
  readonly rate: number;
}

export function chanceOfAtLeast(passed: number, { trials, rate }: Trials): number {
  if (passed <= 0) return 1;
  return passed > trials ? 0 : incompleteBeta(rate, passed, trials - passed + 1);
}

export function chanceOfFewer(passed: number, { trials, rate }: Trials): number {
  return chanceOfAtLeast(trials - passed + 1, { trials, rate: 1 - rate });
}

/** The rate must be above 0 and below 1. */
export function chanceOfExactly(passed: number, { trials, rate }: Trials): number {
  const failed = trials - passed;
  const logWays = -Math.log(trials + 1) - logBeta(passed + 1, failed + 1);
  return Math.exp(logWays + passed * Math.log(rate) + failed * Math.log1p(-rate));
}
