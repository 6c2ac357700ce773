import { expect, test } from 'vitest';
import { allGood, assertion, judged, noTrace, rowOf, turn } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

function missed(judgedAs: 'judgePartial' | 'judgeFailed') {
  return { ...assertion('goalCompleted', false), judgedAs };
}

test.each<[string, Partial<TrialEvidence>, string]>([
  [
    'the grader failed',
    { evaluatorError: true, assertions: [assertion('responseContains', false)] },
    'notMeasured/evaluatorError',
  ],
  [
    'one assertion failed',
    {
      assertions: [assertion('responseContains', true), assertion('responseMatches', false)],
    },
    'failed/predicateFailed',
  ],
  [
    'a row that nobody could answer',
    {
      assertions: [
        assertion('responseContains', true),
        { ...assertion('scorer', false), unanswered: true },
      ],
    },
    'notMeasured/evaluatorError',
  ],
  ['an own scorer', { assertions: [assertion('scorer', false)] }, 'failed/predicateFailed'],
  [
    'a goal that was missed',
    { assertions: [missed('judgePartial'), missed('judgeFailed')] },
    'failed/judgeFailed',
  ],
  ['a goal that was met in part', { assertions: [missed('judgePartial')] }, 'failed/judgePartial'],
  [
    'a goal that was missed beside another failure',
    { assertions: [missed('judgePartial'), assertion('responseContains', false)] },
    'failed/predicateFailed',
  ],
  [
    'a goal that was met',
    { assertions: [assertion('goalCompleted', true)] },
    'passed/judgeObserved',
  ],
  [
    'a goal that was met beside what was seen',
    { assertions: [assertion('goalCompleted', true), assertion('responseContains', true)] },
    'passed/observed',
  ],
  ['all held', { assertions: [assertion('responseContains', true)] }, 'passed/observed'],
  [
    'a judge never overturns an assertion',
    { ...judged(0), assertions: [assertion('responseContains', true)] },
    'passed/observed',
  ],
  [
    'assertions decide without a trace',
    { ...noTrace, assertions: [assertion('responseContains', true)] },
    'passed/observed',
  ],
  [
    'selection assertions are not read here',
    { assertions: [assertion('firstToolWas', true)] },
    'notMeasured/judgeNotRequested',
  ],
  [
    'toolCalledWith is not read here',
    { assertions: [assertion('toolCalledWith', false)] },
    'notMeasured/judgeNotRequested',
  ],
  [
    'an advisory assertion is not read',
    { assertions: [{ type: 'responseContains', passed: false, advisory: true }] },
    'notMeasured/judgeNotRequested',
  ],
  ['the threshold is inclusive', judged(0.7), 'passed/judgeObserved'],
  ['just below it is partial', judged(0.699), 'failed/judgePartial'],
  ['the partial floor is inclusive', judged(0.4), 'failed/judgePartial'],
  ['below the floor', judged(0.399), 'failed/judgeFailed'],
  ['a score that is no number', judged(Number.NaN), 'notMeasured/evaluatorError'],
  ['a score above one', judged(1.1), 'notMeasured/evaluatorError'],
  ['a judge that failed', { judge: { status: 'errored' } }, 'notMeasured/evaluatorError'],
  ['a judge still owed', { judge: { status: 'pending' } }, 'notMeasured/judgePending'],
  ['a judge never owed', {}, 'notMeasured/judgeNotRequested'],
  ['a judge without a trace is not heard', { ...noTrace, ...judged(1) }, 'notMeasured/traceAbsent'],
])('user value: %s', (_title, change, expected) => {
  expect(rowOf('userValue', change)).toBe(expected);
});

test('a judge is ignored when an earlier stage failed', () => {
  const missing = { turns: [turn({ missingCount: 1 })], assertions: [], ...judged(1) };
  expect(rowOf('userValue', missing, allGood)).toBe('notReached/earlierStageFailed');
});
