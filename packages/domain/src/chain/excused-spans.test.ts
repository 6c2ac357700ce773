import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, span } from './evidence.fixture.ts';
import { withoutExcused } from './excused-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';

const failed = [
  span({ id: 'a', status: 'error' }),
  span({ id: 'b', status: 'error', mcpErrorCode: -32050, mcpErrorOrigin: 'theirs' }),
];
const trial: TrialEvidence = {
  ...allGood,
  spans: failed,
  toolErrors: [
    { kind: 'content-error', spanId: 'a', argumentProblem: 'no city' },
    { kind: 'protocol-error', spanId: 'b' },
  ],
};

test('a call that failed as stated counts as seen, at its call and at its response', () => {
  const { stageResults, firstFailedStage } = deriveChain(withoutExcused(trial, ['a', 'b']));
  expect(firstFailedStage).toBeUndefined();
  for (const index of [3, 4]) {
    expect(stageResults[index]).toMatchObject({
      state: 'passed',
      evidence: { spanIds: ['a', 'b'] },
    });
  }
});

test('what is not stated is told as ever', () => {
  expect(withoutExcused(trial, [])).toBe(trial);
  expect(deriveChain(withoutExcused(trial, ['a']))).toMatchObject({
    ...{ firstFailedStage: 'call', failureCategory: 'serverData' },
  });
  expect(deriveChain(withoutExcused(trial, ['b'])).failureCategory).toBe('arguments');
});
