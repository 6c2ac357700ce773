/**
 * Whether two pass counts differ by more than chance would have it, by Fisher's exact test: the smaller tail is held
 * against half of 5 %. It is exact at the handful of trials a case usually has, where intervals that lean on a normal
 * curve call changes real that are not; and with the margins fixed no rate has to be assumed for either side. Where not
 * even "none passed" beside "all passed" could be told from chance, there are too few trials for any answer.
 */
import type { PassCount } from '../gates/measures.ts';

export const significances = ['outside_noise', 'within_noise', 'too_few'] as const;
export type Significance = (typeof significances)[number];

/** Both directions count as a change, so each has half of what is allowed. */
const mostChance = 0.05 / 2;
/** Sums of logarithms are off by a little; what is exactly at the bound is outside. */
const allowed = mostChance * (1 + 1e-9);

export function changeSignificance(base: PassCount, compare: PassCount): Significance {
  const none = { passed: 0, trials: base.trials };
  const all = { passed: compare.trials, trials: compare.trials };
  if (smallerTail(none, all) > allowed) return 'too_few';
  return smallerTail(base, compare) <= allowed ? 'outside_noise' : 'within_noise';
}

/** The chance of a split of all passes at least as uneven, towards the side that is ahead. */
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

/** How many ways there are to choose some out of up to so many, as a logarithm. */
function logWays(upTo: number): (outOf: number, some: number) => number {
  const logFactorials = [0];
  for (let number = 1; number <= upTo; number += 1) {
    logFactorials.push((logFactorials[number - 1] ?? 0) + Math.log(number));
  }
  const of = (number: number) => logFactorials[number] ?? 0;
  return (outOf, some) => of(outOf) - of(some) - of(outOf - some);
}
