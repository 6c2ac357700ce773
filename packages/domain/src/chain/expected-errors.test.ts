import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, span } from './evidence.fixture.ts';
import { excuseExpectedErrors } from './expected-errors.ts';
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

const excuse = (excused: readonly string[]) =>
  excuseExpectedErrors(trial, { excused, unknown: [] });

test('a call that failed as stated counts as seen, at its call and at its response', () => {
  const { stageResults, firstFailedStage } = deriveChain(excuse(['a', 'b']));
  expect(firstFailedStage).toBeUndefined();
  for (const index of [3, 4]) {
    expect(stageResults[index]).toMatchObject({
      state: 'passed',
      evidence: { spanIds: ['a', 'b'] },
    });
  }
});

test('what is not stated is told as ever', () => {
  expect(excuse([])).toBe(trial);
  expect(deriveChain(excuse(['a']))).toMatchObject({
    firstFailedStage: 'call',
    failureCategory: 'serverData',
  });
  expect(deriveChain(excuse(['b'])).failureCategory).toBe('arguments');
});

test('an error that may be stated measures neither the call nor the response, and blames nobody', () => {
  const open = (...unknown: string[]) =>
    deriveChain(
      excuseExpectedErrors(trial, { excused: unknown.includes('a') ? ['b'] : ['a'], unknown }),
    );
  const chain = open('b');
  expect(chain.firstFailedStage).toBeUndefined();
  for (const index of [3, 4]) {
    expect(chain.stageResults[index]).toMatchObject({
      state: 'notMeasured',
      reason: 'evaluatorError',
    });
  }
  // Without the wrong arguments, the error in the result proves that the call was made.
  const { argumentProblem: _, ...plain } = trial.toolErrors[0] ?? { kind: 'content-error' };
  const answeredBadly = excuseExpectedErrors(
    { ...trial, toolErrors: [{ ...plain, spanId: 'a' }] },
    { excused: ['b'], unknown: ['a'] },
  );
  const { stageResults } = deriveChain(answeredBadly);
  expect(stageResults[3]).toMatchObject({ state: 'passed' });
  expect(stageResults[4]).toMatchObject({ state: 'notMeasured', reason: 'evaluatorError' });
  expect(open('a').stageResults[3]).toMatchObject({ state: 'notMeasured' });
});

test('what failed beside an error that may be stated is told', () => {
  const chain = deriveChain(excuseExpectedErrors(trial, { excused: [], unknown: ['a'] }));
  expect(chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'serverData' });
});
