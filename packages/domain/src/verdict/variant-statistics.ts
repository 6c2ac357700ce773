/**
 * Statistics of one case variant's graded trials beyond its verdict: the certainty of its pass
 * rate, the chance that so many trials in a row would pass, and the trials needed to be certain.
 * Unbiased pass^k is known for every k up to the number of graded trials and for none beyond.
 */
import { type MoreTrials, moreTrials } from './more-trials.ts';
import { passHatK } from './pass-at-k.ts';
import { confidence, type Interval, wilsonInterval } from './wilson-interval.ts';

export interface VariantStatistics {
  readonly eligibleTrials: number;
  readonly passedTrials: number;
  readonly passRateInterval: (Interval & { readonly confidence: typeof confidence }) | null;
  /** The largest known k; 0 if there is none. */
  readonly largestK: number;
  readonly passHatK: number | null;
  readonly moreTrials: MoreTrials | null;
}

export function variantStatistics(
  graded: { readonly passed: number; readonly failed: number },
  asked: { readonly passThreshold: number | null; readonly k: number | null },
): VariantStatistics {
  const { passed } = graded;
  const trials = passed + graded.failed;
  const interval = wilsonInterval(passed, trials);
  return {
    eligibleTrials: trials,
    passedTrials: passed,
    passRateInterval: interval && { confidence, ...interval },
    largestK: trials,
    passHatK: asked.k === null ? null : passHatK(trials, passed, asked.k),
    moreTrials:
      asked.passThreshold === null ? null : moreTrials({ passed, trials }, asked.passThreshold),
  };
}
