/**
 * The number of further trials that would decide whether a case variant reaches its pass threshold.
 * That is decided if the 95 % interval of its pass rate is on one side of the threshold. Otherwise
 * further trials with the same pass rate are assumed, and the smallest number that moves the
 * interval to one side is returned. If 100 further trials are not enough, the result is `beyond`.
 * That is always so for a rate exactly at its threshold, and for a threshold of 1 that was always
 * met.
 */
import { type Interval, wilsonInterval } from './wilson-interval.ts';

export const mostFurtherTrials = 100;

export const thresholdSides = ['at_or_above', 'below'] as const;
export type ThresholdSide = (typeof thresholdSides)[number];

export type MoreTrials =
  | { readonly state: 'decided'; readonly side: ThresholdSide }
  | { readonly state: 'needed'; readonly trials: number }
  | { readonly state: 'beyond'; readonly limit: typeof mostFurtherTrials };

/** Returns how many more trials are needed; null if nothing was measured, so there is no rate. */
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
    // If all trials passed, no rounding may occur: the upper end of the interval must stay exactly
    // 1.
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
