/**
 * The 95 % interval of a pass rate that is valid after every trial: the rates that no e-value ever
 * rejected. A rejected rate stays rejected, so the interval never grows. If the true rate changes,
 * all rates may be rejected, and there is no interval.
 */
import type { PassCount } from '../gates/measures.ts';
import type { Interval } from '../verdict/wilson-interval.ts';
import {
  boundOfEvidenceBelow,
  logEvidenceBelow,
  slopeOfEvidenceBelow,
} from './any-time-evidence.ts';
import { type ResultTurns, resultTurns } from './result-turns.ts';

const logRejected = Math.log(40);
const precision = 1e-12;

/** Returns null without results, or if every rate was rejected. */
export function anyTimeInterval(results: readonly boolean[]): Interval | null {
  return intervalOfTurns(resultTurns(results));
}

export function intervalOfTurns({ trials, ofPassed, ofFailed }: ResultTurns): Interval | null {
  if (trials === 0) return null;
  const lower = 1 - smallestRejected(ofPassed, countFailed);
  const upper = smallestRejected(ofFailed, (counts) => counts);
  return lower <= upper ? { lower, upper } : null;
}

function countFailed({ passed, trials }: PassCount): PassCount {
  return { passed: trials - passed, trials };
}

/**
 * Returns the rate above which "the rate is at least that" was ever rejected; 1 if never. `ends` are
 * the ends of the sequences of failed trials. The order in which they are looked at does not
 * matter. It begins with the last one, which usually rejects most, and goes on in ever finer steps,
 * so that the smallest is nearly found after a few of them and the others need one comparison only.
 */
function smallestRejected(
  ends: readonly PassCount[],
  sideOf: (counts: PassCount) => PassCount,
): number {
  const all = ends.length;
  let smallest = 1;
  let bound = boundOfEvidenceBelow(smallest);
  const look = (at: number) => {
    const end = ends[at];
    if (end === undefined) return;
    const counts = sideOf(end);
    if (bound(counts.passed, counts.trials) < logRejected) return;
    if (logEvidenceBelow(counts, smallest) < logRejected) return;
    smallest = firstRejected(counts, smallest);
    bound = boundOfEvidenceBelow(smallest);
  };
  look(all - 1);
  for (let step = 2 ** Math.ceil(Math.log2(all)); step >= 1; step /= 2) {
    for (let before = step; before < all; before += 2 * step) look(all - 1 - before);
  }
  return smallest;
}

/**
 * Returns the largest rate that is not rejected: above the observed rate, the evidence grows with
 * the rate. Newton's method needs few steps; where it leaves the range, the range is halved.
 */
function firstRejected(counts: PassCount, rejected: number): number {
  let open = counts.passed / counts.trials;
  let most = rejected;
  let rate = rejected;
  while (most - open > precision) {
    const logE = logEvidenceBelow(counts, rate);
    if (logE >= logRejected) most = rate;
    else open = rate;
    const step = (logE - logRejected) / slopeOfEvidenceBelow(counts, rate, logE);
    // The last steps all come from one side, so they go a little too far.
    const next = rate - step - Math.sign(step) * (precision / 2);
    rate = next > open && next < most ? next : (open + most) / 2;
  }
  return open;
}
