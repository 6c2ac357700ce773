import { criterionOf, sessionEvidenceOf, snapshotOf } from '@proofmark/harness/any-sessions.ts';
import { expect, test } from 'vitest';
import { EvalCaseDefinition } from '../suites/eval-case.ts';
import { caseOfSession, type SessionToKeep } from './case-of-session.ts';
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

function kept(more: Partial<SessionToKeep> = {}) {
  return caseOfSession({
    snapshot: snapshotOf({ rubric: [criterionOf('c', { type: 'noToolErrors' })] }),
    ...{ modelId: 'm', sessionIndex: 1, evidence, result: 'failed', expectCalls: false },
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [{ type: 'text', text: 'Book it.' }] },
    ],
    ...more,
  });
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
  expect(made?.failOnToolError).toBeUndefined();
  expect(kept({ messages: [] })).toBeUndefined();
});

test('a tool that failed is excused only where the session passed in spite of it', () => {
  expect(kept({ result: 'passed' })?.failOnToolError).toBe(false);
  expect(
    kept({ result: 'passed', evidence: sessionEvidenceOf() })?.failOnToolError,
  ).toBeUndefined();
});

test('of the calls only those that succeeded are expected, where that is asked for', () => {
  const list = kept({ expectCalls: true })?.checks?.list?.slice(1);
  expect(list).toEqual([
    {
      ...{ type: 'toolCalledWith', toolName: 'book' },
      args: { args: { day: 7 }, argumentMatching: 'partial' },
    },
  ]);
});

test('a score passes from its threshold on, and a judge that failed says nothing', () => {
  const pending: GoalScore = {
    ...{ status: 'pending', score: null, passed: null, threshold: 0.7, reason: null },
    judgeModel: 'j',
  };
  expect(scoredGoal(pending, 0.7, 'Done.')).toMatchObject({ status: 'completed', passed: true });
  expect(scoredGoal(pending, 0.69, null).passed).toBe(false);
  expect(judgeEvidenceOf(pending)).toEqual({ status: 'pending' });
  expect(judgeEvidenceOf(failedGoal(pending, 'judge_failed'))).toEqual({ status: 'errored' });
  expect(judgeEvidenceOf(scoredGoal(pending, 0.5, 'Half.'))).toMatchObject({
    ...{ status: 'scored', score: 0.5, partialFloor: 0.4, reason: 'Half.' },
  });
  expect(judgeEvidenceOf(null)).toBeUndefined();
});

test('calls stand in their order, each with whether it failed', () => {
  expect(callsInOrder(evidence)).toEqual([{ failed: true }, { failed: false }, { failed: false }]);
});
