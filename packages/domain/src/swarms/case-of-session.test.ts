import { criterionOf, sessionEvidenceOf, snapshotOf } from '@proofmark/harness/any-sessions.ts';
import { expect, test } from 'vitest';
import { EvalCaseDefinition } from '../suites/eval-case.ts';
import { caseOfSession, refuseCaseOf, type SessionToKeep } from './case-of-session.ts';
import {
  callsInOrder,
  failedGoal,
  type GoalScore,
  judgeEvidenceOf,
  scoredGoal,
} from './goal-score.ts';

const call = (toolName: string, spanId: string) => ({ toolName, spanId, arguments: { day: 7 } });
const evidence = sessionEvidenceOf({
  turns: [
    [call('hours', 's1'), { ...call('gone', 's2'), notMade: 'notOffered' }],
    [call('book', 's3')],
  ],
  seen: {
    ...sessionEvidenceOf().seen,
    toolErrors: [{ kind: 'content-error', toolName: 'hours', spanId: 's1' }],
  },
});

const kept = (more: Partial<SessionToKeep> = {}) => caseOfSession(session(more));
const refused = (more: Partial<SessionToKeep>) => refuseCaseOf(session(more))?.details?.['reason'];

function session(more: Partial<SessionToKeep>): SessionToKeep {
  return {
    snapshot: snapshotOf({ rubric: [criterionOf('c', { type: 'noToolErrors' })] }),
    modelId: 'm',
    sessionIndex: 1,
    evidence,
    result: 'failed',
    expectCalls: false,
    prompts: ['Hi.', 'Book it.'],
    ...more,
  };
}

test('each message of the user is a prompt, and each criterion a check of a case that can be stored', () => {
  const made = kept();
  expect(EvalCaseDefinition.safeParse(made).success).toBe(true);
  expect(made).toMatchObject({
    title: 'Book · Ann · 2',
    steps: [{ prompt: 'Hi.' }, { prompt: 'Book it.' }],
    models: [{ model: 'm' }],
    checks: { mode: 'extend', list: [{ type: 'noToolErrors' }] },
  });
  expect(made.failOnToolError).toBeUndefined();
});

test('no case is made of less than was asked for', () => {
  expect(refused({})).toBeUndefined();
  expect(refused({ prompts: [] })).toBe('TRACE_NOT_AVAILABLE');
  const end = { kind: 'notPlayed', errorCode: 'provider_failed' } as const;
  expect(refused({ evidence: { ...evidence, end } })).toBe('SESSION_NOT_PLAYED');
  const calls = (count: number) => ({
    evidence: { ...evidence, turns: [Array.from({ length: count }, () => call('book', 's3'))] },
  });
  expect(refused({ ...calls(49), expectCalls: true })).toBeUndefined();
  expect(refused({ ...calls(50), expectCalls: true })).toBe('TOO_MANY_CALLS');
  expect(refused(calls(50))).toBeUndefined();
});

test('no call is expected whose arguments were cut or hidden, since nobody could make it again', () => {
  const cut = (spanId: string, of: object = {}) => ({
    evidence: {
      ...evidence,
      turns: [[{ ...call('book', spanId), argumentsNotWhole: true as const, ...of }]],
    },
  });
  expect(refused({ ...cut('s3'), expectCalls: true })).toBe('CALLS_NOT_KEPT');
  expect(refused(cut('s3'))).toBeUndefined();
  // Only calls that succeeded become expected calls, so the incomplete arguments of these two do
  // not matter.
  expect(refused({ ...cut('s1'), expectCalls: true })).toBeUndefined();
  expect(refused({ ...cut('s2', { notMade: 'notOffered' }), expectCalls: true })).toBeUndefined();
});

test('a tool that failed is excused only where the session passed in spite of it', () => {
  expect(kept({ result: 'passed' }).failOnToolError).toBe(false);
  expect(kept({ result: 'passed', evidence: sessionEvidenceOf() }).failOnToolError).toBeUndefined();
});

test('of the calls only those that succeeded are expected, where that is asked for', () => {
  const list = kept({ expectCalls: true }).checks?.list?.slice(1);
  expect(list).toEqual([
    {
      type: 'toolCalledWith',
      toolName: 'book',
      args: { args: { day: 7 }, argumentMatching: 'partial' },
    },
  ]);
});

test('a score passes from its threshold on, and a judge that failed says nothing', () => {
  const pending: GoalScore = {
    status: 'pending',
    score: null,
    passed: null,
    threshold: 0.7,
    reason: null,
    judgeModel: 'j',
  };
  expect(scoredGoal(pending, 0.7, 'Done.')).toMatchObject({ status: 'completed', passed: true });
  expect(scoredGoal(pending, 0.69, null).passed).toBe(false);
  expect(judgeEvidenceOf(pending)).toEqual({ status: 'pending' });
  expect(judgeEvidenceOf(failedGoal(pending, 'judge_failed'))).toEqual({ status: 'errored' });
  expect(judgeEvidenceOf(scoredGoal(pending, 0.5, 'Half.'))).toMatchObject({
    status: 'scored',
    score: 0.5,
    partialFloor: 0.4,
    reason: 'Half.',
  });
  expect(judgeEvidenceOf(null)).toBeUndefined();
});

test('calls that were made stand in their order, each with whether it failed', () => {
  expect(callsInOrder(evidence)).toEqual([{ failed: true }, { failed: false }]);
});
