/**
 * Fisher's exact test of two pass counts, two-sided: the chance of all outcomes that are at most as
 * likely as the observed one, with the totals fixed. It assumes no pass rate for either side.
 */
import type { PassCount } from '../gates/measures.ts';

/** Outcomes that are equally likely may differ by the rounding of their chances. */
const equallyLikely = 1 + 1e-9;

/** Returns the chance; null if a side has no trials. */
export function fisherExact(base: PassCount, compare: PassCount): number | null {
  if (base.trials === 0 || compare.trials === 0) return null;
  const passed = base.passed + compare.passed;
  const fewest = Math.max(0, passed - compare.trials);
  const weights = outcomeWeights(base.trials, compare.trials, passed);
  const observed = weights[base.passed - fewest] ?? 0;
  const total = sum(weights);
  return Math.min(1, sum(weights.filter((weight) => weight <= observed * equallyLikely)) / total);
}

/** Returns the smallest chance that any outcome of so many trials has. */
export function smallestFisherExact(baseTrials: number, compareTrials: number): number | null {
  const none = { passed: 0, trials: baseTrials };
  return fisherExact(none, { passed: compareTrials, trials: compareTrials });
}

/**
 * Returns how likely each number of passed trials of the base is, relative to the likeliest. Each
 * follows from its neighbour, which is more precise than logarithms of factorials.
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
  // Adds the smallest first, so that they are not lost beside the large ones.
  return values.toSorted((one, other) => one - other).reduce((total, value) => total + value, 0);
}
