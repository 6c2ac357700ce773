/**
 * The validity policy of a run (the evidence that a verdict requires), fixed when the run is
 * created. By default every configured trial must be attempted and at least one must be gradeable.
 * If the suite sets a minimum of eligible (graded) trials, that minimum replaces both requirements.
 */
import type { ValidityPolicy } from './decision.ts';

/** By default, a case passes only if all its trials pass. */
export const defaultPassThreshold = 1;
const defaultMinCompletionRate = 0.8;
const defaultMaxEvaluatorErrorRate = 0.1;

export interface StatedValidity {
  readonly minEligibleTrials?: number | undefined;
  readonly minCompletionRate?: number | undefined;
  readonly maxEvaluatorErrorRate?: number | undefined;
}

export function resolvePolicy(stated: StatedValidity = {}): ValidityPolicy {
  const { minEligibleTrials, minCompletionRate, maxEvaluatorErrorRate } = stated;
  return {
    coverage:
      minEligibleTrials === undefined
        ? { kind: 'allConfiguredTrialsAttempted', minGradeableTrials: 1 }
        : { kind: 'minEligibleTrials', minEligibleTrials },
    minCompletionRate: minCompletionRate ?? defaultMinCompletionRate,
    maxEvaluatorErrorRate: maxEvaluatorErrorRate ?? defaultMaxEvaluatorErrorRate,
  };
}
