/**
 * The 95 % interval of a pass rate that holds at every trial at once: the rates that no e-value
 * ever rejected. Each side is rejected at 1/40. A rejected rate stays rejected, so the interval
 * never grows. If the true rate changed on the way, all rates may be rejected; then there is no
 * interval.
 */
import type { PassCount } from '../gates/measures.ts';
import type { Interval } from '../verdict/wilson-interval.ts';
import { boundsOfEvidenceBelow, logEvidenceBelow } from './any-time-evidence.ts';

const logRejected = Math.log(40);
const precision = 1e-12;

/** Returns the interval after the results in their order; null without results or without a rate. */
export function anyTimeInterval(results: readonly boolean[]): Interval | null {
  if (results.length === 0) return null;
  const lower = 1 - smallestRejected(results.map((passed) => !passed));
  const upper = smallestRejected(results);
  return lower <= upper ? { lower, upper } : null;
}

/**
 * Returns the rate above which "the rate is at least that" was ever rejected; 1 if never. The order
 * of the trials does not matter for the smallest, and the last trial rejects most, so that trials
 * are read backwards and nearly all need one comparison only.
 */
function smallestRejected(results: readonly boolean[]): number {
  const boundAt = boundsOfEvidenceBelow(results.length);
  let passed = results.filter((result) => result).length;
  let smallest = 1;
  let bound = boundAt(smallest);
  for (let trials = results.length; trials > 0; trials -= 1) {
    const counts = { passed, trials };
    if (bound(counts) >= logRejected && isRejected(counts, smallest)) {
      smallest = firstRejected(counts, smallest);
      bound = boundAt(smallest);
    }
    if (results[trials - 1] === true) passed -= 1;
  }
  return smallest;
}

/** Returns the smallest rejected rate; the evidence grows with the rate above the observed one. */
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
