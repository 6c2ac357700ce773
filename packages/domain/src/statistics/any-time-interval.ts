/**
 * The 95 % interval of a pass rate that is valid after every trial: the rates that no e-value ever
 * rejected. A rejected rate stays rejected, so the interval never grows. If the true rate changes,
 * all rates may be rejected, and there is no interval.
 */
import type { PassCount } from '../gates/measures.ts';
import type { Interval } from '../verdict/wilson-interval.ts';
import { boundOfEvidenceBelow, logEvidenceBelow } from './any-time-evidence.ts';

const logRejected = Math.log(40);
const precision = 1e-12;

/** Returns null without results, or if every rate was rejected. */
export function anyTimeInterval(results: readonly boolean[]): Interval | null {
  if (results.length === 0) return null;
  const lower = 1 - smallestRejected(results, false);
  const upper = smallestRejected(results, true);
  return lower <= upper ? { lower, upper } : null;
}

/**
 * Returns the rate of `counted` results above which "the rate is at least that" was ever rejected;
 * 1 if never. The order in which trials are looked at does not matter. It begins with the last
 * trial, which usually rejects most, and goes on in ever finer steps, so that the smallest is
 * nearly found after a few of them and the others need one comparison only.
 */
function smallestRejected(results: readonly boolean[], counted: boolean): number {
  const counts = countsAfterEach(results, counted);
  const all = results.length;
  let smallest = 1;
  let bound = boundOfEvidenceBelow(smallest);
  const look = (trials: number) => {
    const passed = counts[trials - 1] ?? 0;
    if (bound(passed, trials) < logRejected || !isRejected({ passed, trials }, smallest)) return;
    smallest = firstRejected({ passed, trials }, smallest);
    bound = boundOfEvidenceBelow(smallest);
  };
  look(all);
  for (let step = 2 ** Math.ceil(Math.log2(all)); step >= 1; step /= 2) {
    for (let before = step; before < all; before += 2 * step) look(all - before);
  }
  return smallest;
}

function countsAfterEach(results: readonly boolean[], counted: boolean): Uint32Array {
  const counts = new Uint32Array(results.length);
  let found = 0;
  for (let at = 0; at < results.length; at += 1) {
    if (results[at] === counted) found += 1;
    counts[at] = found;
  }
  return counts;
}

/** Searches by halving: above the observed rate, the evidence grows with the rate. */
function firstRejected(counts: PassCount, rejected: number): number {
  let open = counts.passed / counts.trials;
  let most = rejected;
  while (most - open > precision) {
    const middle = (open + most) / 2;
    if (isRejected(counts, middle)) most = middle;
    else open = middle;
  }
  return open;
}

function isRejected(counts: PassCount, rate: number): boolean {
  return logEvidenceBelow(counts, rate) >= logRejected;
}
