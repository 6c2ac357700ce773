/**
 * Whether two pass counts differ by more than chance explains, by Fisher's exact test: the smaller
 * tail is compared with half of 5 %. The test is exact even for the few trials of a typical case,
 * where intervals from a normal approximation report changes that are not real. It fixes the totals
 * of both sides and assumes no pass rate for either. If even "none passed" against "all passed"
 * could be chance, there are too few trials for any answer.
 */
import type { PassCount } from '../gates/measures.ts';

export const significances = ['outside_noise', 'within_noise', 'too_few'] as const;
export type Significance = (typeof significances)[number];

/**
 * The largest chance of one tail. A change may go in either direction, so each gets half of the
 * allowed 5 %.
 */
const mostChance = 0.05 / 2;
/**
 * The limit with a small tolerance, since sums of logarithms are inexact. A chance exactly at the
 * limit is outside the noise.
 */
const allowed = mostChance * (1 + 1e-9);

export function changeSignificance(base: PassCount, compare: PassCount): Significance {
  const none = { passed: 0, trials: base.trials };
  const all = { passed: compare.trials, trials: compare.trials };
  if (smallerTail(none, all) > allowed) return 'too_few';
  return smallerTail(base, compare) <= allowed ? 'outside_noise' : 'within_noise';
}

/**
 * Returns the chance of a split at least as uneven as the observed one, in the direction of the
 * observed difference.
 */
function smallerTail(base: PassCount, compare: PassCount): number {
  const trials = base.trials + compare.trials;
  const passed = base.passed + compare.passed;
  const fewest = Math.max(0, passed - compare.trials);
  const most = Math.min(base.trials, passed);
  const ways = logWays(trials);
  const chanceOf = (atBase: number) =>
    Math.exp(
      ways(base.trials, atBase) + ways(compare.trials, passed - atBase) - ways(trials, passed),
    );
  const chanceBetween = (from: number, to: number) => {
    let sum = 0;
    for (let atBase = from; atBase <= to; atBase += 1) sum += chanceOf(atBase);
    return sum;
  };
  return Math.min(chanceBetween(fewest, base.passed), chanceBetween(base.passed, most));
}

/** Returns a function for the logarithm of binomial coefficients, up to the given size. */
function logWays(upTo: number): (outOf: number, some: number) => number {
  const logFactorials = [0];
  for (let number = 1; number <= upTo; number += 1) {
    logFactorials.push((logFactorials[number - 1] ?? 0) + Math.log(number));
  }
  const of = (number: number) => logFactorials[number] ?? 0;
  return (outOf, some) => of(outOf) - of(some) - of(outOf - some);
}
