import { describe, expect, test } from 'vitest';
import { resolveTerms, type StatedTerms } from './run-terms.ts';

const all = { kind: 'allConfiguredTrialsAttempted', minGradeableTrials: 1 };
const defaults = { coverage: all, minCompletionRate: 0.8, maxEvaluatorErrorRate: 0.1 };

describe('a run', () => {
  test.each<[string, StatedTerms]>([
    ['that states nothing', {}],
    ['with empty pass criteria', { passCriteria: {} }],
    ['with an empty policy', { verdictPolicy: {} }],
    [
      'with an empty policy beside a percent',
      { passCriteria: { minimumPassRate: 80 }, verdictPolicy: {} },
    ],
  ])(
    '%s is decided under policy v2 with the defaults, and a case must pass every trial',
    (_title, stated) => {
      expect(resolveTerms(stated)).toEqual({ policy: defaults, passThreshold: 1 });
    },
  );

  test.each([0, 80, 100])(
    'that states %i percent and no policy is a legacy run',
    (minimumPassRate) => {
      expect(resolveTerms({ passCriteria: { minimumPassRate } })).toEqual({ minimumPassRate });
    },
  );

  test('that states a policy is decided under it, with the defaults for the rest', () => {
    expect(resolveTerms({ verdictPolicy: { passThreshold: 0, minEligibleTrials: 4 } })).toEqual({
      policy: { ...defaults, coverage: { kind: 'minEligibleTrials', minEligibleTrials: 4 } },
      passThreshold: 0,
    });
    expect(
      resolveTerms({ verdictPolicy: { minCompletionRate: 0, maxEvaluatorErrorRate: 0 } }),
    ).toEqual({
      policy: { coverage: all, minCompletionRate: 0, maxEvaluatorErrorRate: 0 },
      passThreshold: 1,
    });
  });
});
