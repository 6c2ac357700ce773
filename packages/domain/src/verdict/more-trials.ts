/**
 * How many more trials would decide whether a case variant meets its pass threshold. It is decided when the 95 %
 * interval of its pass rate lies on one side of the threshold. Until then the interval is narrowed by trials that go on
 * passing as often as those before them; the fewest that bring it to one side are the answer. A rate that sits on its
 * threshold, and a threshold of 1 that was always met, are decided by no number: each has an answer of its own.
 */
import { type Interval, wilsonInterval } from './wilson-interval.ts';

export const mostFurtherTrials = 100;

export const thresholdSides = ['at_or_above', 'below'] as const;
export type ThresholdSide = (typeof thresholdSides)[number];

export type MoreTrials =
  | { readonly state: 'decided'; readonly side: ThresholdSide }
  | { readonly state: 'needed'; readonly trials: number }
  | { readonly state: 'beyond'; readonly limit: typeof mostFurtherTrials };

/** Nothing where nothing was measured: then there is no rate to go on. */
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
    // At the edges whole, so that the ends of the interval stay pinned there.
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
