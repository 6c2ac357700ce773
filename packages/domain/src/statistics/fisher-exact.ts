/**
 * Fisher's exact test of two pass counts, two-sided: with fixed totals, the chance of all outcomes
 * that are at most as likely as the observed one. The test assumes no pass rate for either side.
 */
import type { PassCount } from '../gates/measures.ts';

/** Equally likely outcomes may differ by the rounding of their chances. */
const equallyLikely = 1 + 1e-9;

/** Returns null if a side has no trials. */
export function fisherExact(base: PassCount, compare: PassCount): number | null {
  if (base.trials === 0 || compare.trials === 0) return null;
  const passed = base.passed + compare.passed;
  const fewest = Math.max(0, passed - compare.trials);
  const weights = outcomeWeights(base.trials, compare.trials, passed);
  const observed = weights[base.passed - fewest] ?? 0;
  const total = sum(weights);
  return Math.min(1, sum(weights.filter((weight) => weight <= observed * equallyLikely)) / total);
}

/** Returns the smallest p-value that these numbers of trials can give. */
export function smallestFisherExact(baseTrials: number, compareTrials: number): number | null {
  const none = { passed: 0, trials: baseTrials };
  return fisherExact(none, { passed: compareTrials, trials: compareTrials });
}

/**
 * Returns the likelihood of each number of passed base trials, relative to the likeliest number.
 * Each value is computed from its neighbour, which is more precise than logarithms of factorials.
 */
function outcomeWeights(baseTrials: number, compareTrials: number, passed: number): number[] {
  const fewest = Math.max(0, passed - compareTrials);
  const most = Math.min(baseTrials, passed);
  const mode = Math.floor(((baseTrials + 1) * (passed + 1)) / (baseTrials + compareTrials + 2));
  const likeliest = Math.min(most, Math.max(fewest, mode));
  const rise = (at: number) =>
    ((baseTrials - at) * (passed - at)) / ((at + 1) * (compareTrials - passed + at + 1));
  const weights = new Array<number>(most - fewest + 1).fill(1);
  for (let at = likeliest; at < most; at += 1) {
    weights[at + 1 - fewest] = (weights[at - fewest] ?? 0) * rise(at);
  }
  for (let at = likeliest; at > fewest; at -= 1) {
    weights[at - 1 - fewest] = (weights[at - fewest] ?? 0) / rise(at - 1);
  }
  return weights;
}

function sum(values: readonly number[]): number {
  // The smallest values are added first, so that rounding does not lose them.
  return values.toSorted((one, other) => one - other).reduce((total, value) => total + value, 0);
}
