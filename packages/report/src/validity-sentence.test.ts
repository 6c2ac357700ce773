import type { Decision } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { validitySentence } from './validity-sentence.ts';
import { plainSentence } from './write-text.ts';

function sentenceFor(reason: Decision['reasons'][number], completed: number, floor = 1): string {
  const value = completed / 8;
  const rate = { state: 'measured', value, numerator: completed, denominator: 8, exclusions: {} };
  const validity = {
    policy: {
      coverage: { kind: 'minEligibleTrials', minEligibleTrials: floor },
      minCompletionRate: 0.8,
      maxEvaluatorErrorRate: 0.1,
    },
    configuredTrials: 8,
    attemptedTrials: completed,
    eligibleTrials: completed,
    completionRate: rate,
  };
  return plainSentence(validitySentence(reason, { validity } as unknown as Decision), false);
}

test('none is said where there is none, and only where there are some', () => {
  expect(sentenceFor('completionRateBelowMinimum', 0)).toBe(
    'None of 8 attempted trials completed; at least 80 % have to.',
  );
  expect(sentenceFor('completionRateBelowMinimum', 3)).toBe(
    'Only 3 of 8 attempted trials (37.5 %) completed; at least 80 % have to.',
  );
  expect(sentenceFor('configuredTrialsNotAttempted', 0)).toBe(
    'None of 8 configured trials were attempted; a verdict needs all of them.',
  );
  expect(sentenceFor('eligibleTrialsBelowMinimum', 0)).toBe(
    'No trial could be graded; at least 1 is needed.',
  );
  expect(sentenceFor('eligibleTrialsBelowMinimum', 2, 5)).toBe(
    'Only 2 trials could be graded; at least 5 are needed.',
  );
});
