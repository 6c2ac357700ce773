import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import {
  allGood,
  assertion,
  authored,
  bare,
  judged,
  ok,
  rowOf,
  strip,
  turn,
} from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

describe('a model provider that failed', () => {
  const providerError = true;
  test('stands in for missing evidence, and the category is setup', () => {
    expect(strip({ providerError, judge: { status: 'pending' } })).toEqual([
      ...Array(6).fill('notMeasured/providerError'),
    ]);
    expect(strip({ providerError })[5]).toBe('notMeasured/providerError');
    expect(deriveChain({ ...bare, providerError }).failureCategory).toBe('setup');
  });

  test('is not an aborted set-up when nothing else was recorded', () => {
    const change = { status: 'failed', tracePresent: false, providerError } as const;
    expect(strip(change)).toEqual(Array(6).fill('notMeasured/providerError'));
    expect(deriveChain({ ...bare, ...change }).failureCategory).toBe('setup');
  });

  test.each<[Stage, string, Partial<TrialEvidence>]>([
    ['selection', 'missingToolCall', { turns: [turn({ missingCount: 1 })] }],
    ['userValue', 'predicateFailed', { assertions: [assertion('responseContains', false, 'no')] }],
    ['userValue', 'judgePartial', { assertions: [], ...judged(0.5) }],
    ['userValue', 'judgeFailed', { assertions: [], ...judged(0.1) }],
  ])('withdraws %s/%s together with its evidence', (stage, reason, change) => {
    expect(rowOf(stage, change, allGood)).toBe(`failed/${reason}`);
    const chain = deriveChain({ ...allGood, ...change, providerError });
    expect(chain.stageResults.find((row) => row.stage === stage)).toEqual({
      stage,
      state: 'notMeasured',
      reason: 'providerError',
    });
    expect(chain).not.toHaveProperty('firstFailedStage');
    expect(chain.failureCategory).toBe('setup');
  });

  test.each<[Stage, string, Partial<TrialEvidence>]>([
    ['selection', 'unexpectedToolCall', { turns: [turn({ unexpectedCount: 1, passed: false })] }],
    ['call', 'argumentMismatch', { turns: [turn({ argumentMismatchCount: 1, passed: false })] }],
    ['call', 'protocolError', { toolErrors: [{ kind: 'protocol-error' }] }],
    ['response', 'toolError', { toolErrors: [{ kind: 'content-error' }] }],
  ])('leaves %s/%s, which was seen', (stage, reason, change) => {
    expect(rowOf(stage, { ...change, providerError }, allGood)).toBe(`failed/${reason}`);
  });

  test('leaves nothing passed that rests on a call nobody made', () => {
    const silent = { ...bare, connect: ok, toolsList: ok, turns: [turn({ calledCount: 0 })] };
    for (const isNegativeTest of [true, false]) {
      const evidence = { ...silent, ...authored({ isNegativeTest }), providerError };
      expect(strip(evidence).slice(0, 4)).toEqual([
        ...['passed/observed', 'passed/observed'],
        ...['notMeasured/providerError', 'notMeasured/providerError'],
      ]);
    }
  });

  test('leaves what a call that was made shows', () => {
    expect(strip({ ...allGood, assertions: [], providerError })).toEqual([
      ...Array(5).fill('passed/observed'),
      'notMeasured/providerError',
    ]);
  });

  test('is heard before the walk, so a later failure that was seen becomes the first', () => {
    const chain = deriveChain({
      ...allGood,
      providerError,
      turns: [turn({ missingCount: 1 })],
      toolErrors: [{ kind: 'content-error' }],
    });
    expect(chain.firstFailedStage).toBe('response');
    expect(chain.failureCategory).toBe('serverData');
  });

  test('does not swallow a broken grader', () => {
    const chain = deriveChain({ ...bare, providerError, evaluatorError: true });
    expect(chain.failureCategory).toBe('evaluator');
  });
});
