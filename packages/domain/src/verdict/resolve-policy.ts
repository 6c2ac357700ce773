/**
 * The validity policy of a run, fixed when the run is created. By default every configured trial
 * must be attempted and at least one must be gradeable. If the suite states a minimum of eligible
 * trials, that rule is used instead, and trials that were not attempted do not make the run invalid
 * by themselves.
 */
import type { ValidityPolicy } from './decision.ts';

/** A case passes if each of its trials passes, unless somebody states another passing score. */
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
