/**
 * Statistics of the graded trials of one case variant: the interval of its pass rate, and the
 * chance that k trials in a row pass. An unbiased estimate of pass^k exists only if k is at most
 * the number of graded trials.
 */
import { passHatK } from './pass-at-k.ts';
import { confidence, type Interval, wilsonInterval } from './wilson-interval.ts';

/**
 * `wilson` is valid if the results are evaluated once, after a planned number of trials. `anyTime`
 * is valid however often they are evaluated.
 */
export const intervalMethods = ['wilson', 'anyTime'] as const;
export type IntervalMethod = (typeof intervalMethods)[number];

export interface StatedInterval extends Interval {
  readonly confidence: typeof confidence;
  readonly method: IntervalMethod;
}

export interface VariantStatistics {
  readonly eligibleTrials: number;
  readonly passedTrials: number;
  readonly passRateInterval: StatedInterval | null;
  /** The largest k for which pass^k is known; 0 if there is none. */
  readonly largestK: number;
  readonly passHatK: number | null;
}

export function variantStatistics(
  graded: { readonly passed: number; readonly failed: number },
  asked: { readonly k: number | null },
): VariantStatistics {
  const { passed } = graded;
  const trials = passed + graded.failed;
  const interval = wilsonInterval(passed, trials);
  return {
    eligibleTrials: trials,
    passedTrials: passed,
    passRateInterval: interval && { confidence, method: 'wilson', ...interval },
    largestK: trials,
    passHatK: asked.k === null ? null : passHatK(trials, passed, asked.k),
  };
}
