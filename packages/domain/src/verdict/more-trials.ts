/**
 * The number of further trials that would decide whether a case variant reaches its pass threshold.
 * It is decided if the 95 % interval of its pass rate is on one side of the threshold. Until then,
 * further trials with the same pass rate are assumed, and the fewest that move the interval to one
 * side are the answer. A rate exactly at its threshold, and a threshold of 1 that was always met,
 * cannot be decided by any number; each has a separate answer.
 */
import { type Interval, wilsonInterval } from './wilson-interval.ts';

export const mostFurtherTrials = 100;

export const thresholdSides = ['at_or_above', 'below'] as const;
export type ThresholdSide = (typeof thresholdSides)[number];

export type MoreTrials =
  | { readonly state: 'decided'; readonly side: ThresholdSide }
  | { readonly state: 'needed'; readonly trials: number }
  | { readonly state: 'beyond'; readonly limit: typeof mostFurtherTrials };

/** Returns undefined if nothing was measured: there is no rate to continue. */
export function moreTrials(
  { passed, trials }: { readonly passed: number; readonly trials: number },
  threshold: number,
): MoreTrials | null {
  const now = wilsonInterval(passed, trials);
  if (now === null) return null;
  const side = sideOf(now, threshold);
  if (side !== undefined) return { state: 'decided', side };
  for (let further = 1; further <= mostFurtherTrials; further += 1) {
    const all = trials + further;
    // Exact at the edges, so that the ends of the interval stay pinned there.
    const likely = passed === trials ? all : (passed / trials) * all;
    const then = wilsonInterval(likely, all);
    if (then !== null && sideOf(then, threshold) !== undefined) {
      return { state: 'needed', trials: further };
    }
  }
  return { state: 'beyond', limit: mostFurtherTrials };
}

function sideOf({ lower, upper }: Interval, threshold: number): ThresholdSide | undefined {
  if (lower >= threshold) return 'at_or_above';
  return upper < threshold ? 'below' : undefined;
}
