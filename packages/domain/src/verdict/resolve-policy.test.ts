import { describe, expect, it } from 'vitest';
import { resolvePolicy } from './resolve-policy.ts';

describe('the policy of a run', () => {
  it('is strict when nothing is stated', () => {
    expect(resolvePolicy()).toEqual({
      coverage: { kind: 'allConfiguredTrialsAttempted', minGradeableTrials: 1 },
      minCompletionRate: 0.8,
      maxEvaluatorErrorRate: 0.1,
    });
    expect(resolvePolicy({ minEligibleTrials: undefined })).toEqual(resolvePolicy());
  });

  it('takes each stated value alone, also zero', () => {
    expect(resolvePolicy({ minCompletionRate: 0, maxEvaluatorErrorRate: 0 })).toEqual({
      ...resolvePolicy(),
      minCompletionRate: 0,
      maxEvaluatorErrorRate: 0,
    });
  });

  it('replaces the strict rule when a floor of eligible trials is stated', () => {
    expect(resolvePolicy({ minEligibleTrials: 4 }).coverage).toEqual({
      kind: 'minEligibleTrials',
      minEligibleTrials: 4,
    });
  });
});
