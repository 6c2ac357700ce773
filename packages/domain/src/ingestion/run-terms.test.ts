import { describe, expect, test } from 'vitest';
import { resolveReportedTerms, resolveTerms, type StatedTerms } from './run-terms.ts';

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

describe('a reported run of a suite', () => {
  const declared = { passThreshold: 0.8, validity: { minEligibleTrials: 3 } };
  const floor = { kind: 'minEligibleTrials', minEligibleTrials: 3 };
  const ofSuite = { policy: { ...defaults, coverage: floor }, passThreshold: 0.8 };

  test.each<[string, StatedTerms]>([
    ['nothing', {}],
    ['a percent', { passCriteria: { minimumPassRate: 1 } }],
    ['a policy of its own', { verdictPolicy: { passThreshold: 0, minEligibleTrials: 1 } }],
  ])('that declares a policy is decided by that, whatever its reporter states: %s', (_, stated) => {
    expect(resolveReportedTerms(stated, { verdictPolicyDefaults: declared })).toEqual(ofSuite);
  });

  test('that declares an empty policy has the defaults, and not what its reporter states', () => {
    const stated = { verdictPolicy: { minEligibleTrials: 1, passThreshold: 0.1 } };
    expect(resolveReportedTerms(stated, { verdictPolicyDefaults: {} })).toEqual({
      policy: defaults,
      passThreshold: 1,
    });
  });

  test.each<[string, StatedTerms]>([
    ['nothing', {}],
    ['a lower percent', { passCriteria: { minimumPassRate: 0 } }],
    ['a higher percent', { passCriteria: { minimumPassRate: 95 } }],
    ['a policy', { verdictPolicy: { passThreshold: 0 } }],
    ['both', { passCriteria: { minimumPassRate: 0 }, verdictPolicy: {} }],
  ])('with a percent is decided by that, whatever its reporter states: %s', (_, stated) => {
    expect(resolveReportedTerms(stated, { minimumAccuracy: 90 })).toEqual({ minimumPassRate: 90 });
  });

  test.each<StatedTerms>([{}, { passCriteria: { minimumPassRate: 5 } }, { verdictPolicy: {} }])(
    'that declares nothing is decided by what its reporter states: %j',
    (stated) => expect(resolveReportedTerms(stated)).toEqual(resolveTerms(stated)),
  );
});
