/**
 * Statistics of one case variant's graded trials in addition to its verdict: how certain its pass
 * rate is, the chance that k trials in a row would pass, and the number of trials needed to be
 * certain. An unbiased estimate of pass^k exists only for k up to the number of graded trials.
 */
import { type MoreTrials, moreTrials } from './more-trials.ts';
import { passHatK } from './pass-at-k.ts';
import { confidence, type Interval, wilsonInterval } from './wilson-interval.ts';

export interface VariantStatistics {
  readonly eligibleTrials: number;
  readonly passedTrials: number;
  readonly passRateInterval: (Interval & { readonly confidence: typeof confidence }) | null;
  /** The largest k for which pass^k is known; 0 if there is none. */
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
