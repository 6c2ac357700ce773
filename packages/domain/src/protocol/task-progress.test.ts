import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answeredTask,
  beginTask,
  lookAtTask,
  type TaskProgress,
  type TaskTurn,
  taskStates,
  taskTraceOf,
} from './task-progress.ts';

const result = { content: [] };
const error = { code: -32_050, message: 'No luck.' };
const whole = { taskId: 't', result, error, inputRequests: {} };

function begun(status: unknown = 'working', more: object = {}): TaskProgress {
  const { progress } = beginTask({ taskId: 't', status, ...more });
  if (progress === undefined) throw new Error('The task has no id.');
  return progress;
}

const look = (before: TaskProgress, status: unknown, more: object = {}): TaskTurn =>
  lookAtTask(before, { ...whole, status, ...more });

describe('the first answer', () => {
  test.each(taskStates)('in the state %s is looked at once', (status) => {
    expect(beginTask({ taskId: 't', status }).step).toEqual({ kind: 'look' });
  });

  test.each([undefined, '', 7])('with the id %j is no task', (taskId) => {
    const { progress, step } = beginTask({ taskId, status: 'working' });
    expect([progress, step.kind]).toEqual([undefined, 'wrong']);
  });

  test('in a state that nobody knows is wrong, and its task can still be cancelled', () => {
    const { progress, step } = beginTask({ taskId: 't', status: 'dreaming' });
    expect(progress?.taskId).toBe('t');
    expect(step).toEqual({ kind: 'wrong', problem: expect.stringContaining('"dreaming"') });
  });
});

describe('a look', () => {
  test.each([
    ['working', { kind: 'look' }],
    ['completed', { kind: 'completed', result }],
    ['failed', { kind: 'failed', error }],
    ['cancelled', { kind: 'cancelled' }],
  ])('at a task that is %s', (status, step) => {
    expect(look(begun(), status).step).toEqual(step);
  });

  test.each([
    ['the state of another task', 'working', { taskId: 'u' }],
    ['no id', 'working', { taskId: undefined }],
    ['an unknown state', 'done', {}],
    ['a completed task without a result', 'completed', { result: undefined }],
    ['a result that is no object', 'completed', { result: [] }],
    ['a failed task without an error', 'failed', { error: undefined }],
    ['an error without a code', 'failed', { error: { message: 'No.' } }],
    ['an error without a message', 'failed', { error: { code: 1 } }],
  ])('that shows %s is wrong', (_, status, more) => {
    expect(look(begun(), status, more).step.kind).toBe('wrong');
  });

  test('asks each question once, and waits while nothing new is asked', () => {
    const inputRequests = { who: { method: 'elicitation/create' }, what: { method: 'x' } };
    const first = look(begun(), 'input_required', { inputRequests });
    expect(first.step).toEqual({ kind: 'answer', questions: inputRequests });
    const answered = answeredTask(first.progress as TaskProgress, { who: inputRequests.who });
    const second = look(answered, 'input_required', { inputRequests });
    expect(second.step).toEqual({ kind: 'answer', questions: { what: inputRequests.what } });
    const all = answeredTask(second.progress as TaskProgress, { what: inputRequests.what });
    expect(look(all, 'input_required', { inputRequests }).step).toEqual({ kind: 'look' });
    expect(all.updates).toBe(2);
  });

  test('keeps the first states and the newest', () => {
    let progress = begun();
    for (let at = 0; at < 60; at += 1) {
      progress = look(progress, at % 2 === 0 ? 'input_required' : 'working').progress ?? progress;
    }
    const ended = look(progress, 'failed', { error: { code: 1, message: 'No.' } });
    expect(ended.progress?.states).toHaveLength(50);
    expect(ended.progress?.states.at(-1)).toBe('failed');
  });

  test('at a task that asks without naming a question is repeated', () => {
    expect(look(begun(), 'input_required', { inputRequests: undefined }).step.kind).toBe('look');
  });

  test('at a task with too many questions is wrong', () => {
    const keys = Array.from({ length: 101 }, (_, index) => [`q${index}`, {}]);
    const inputRequests = Object.fromEntries(keys);
    expect(look(begun(), 'input_required', { inputRequests }).step.kind).toBe('wrong');
  });
});

describe('the pause before a look', () => {
  test.each<[string, unknown, number]>([
    ['is half a second if the server names none', undefined, 500],
    ['is that of the server', 2_000, 2_000],
    ['is never rounded down', 60.2, 61],
    ['is at least 50 milliseconds', 1, 50],
    ['is at least 50 milliseconds, also after a negative one', -5, 50],
    ['ignores what is no number', '9', 500],
    ['ignores what never ends', Number.POSITIVE_INFINITY, 500],
  ])('%s', (_, pollIntervalMs, expected) => {
    expect(begun('working', { pollIntervalMs }).pauseMs).toBe(expected);
  });

  test('follows the latest answer that names one', () => {
    const first = look(begun('working', { pollIntervalMs: 70 }), 'working').progress;
    expect(first?.pauseMs).toBe(70);
    const second = look(first as TaskProgress, 'working', { pollIntervalMs: 90 }).progress;
    expect(second?.pauseMs).toBe(90);
  });
});

const anyState = fc.constantFrom(...taskStates);
const finals: readonly string[] = ['completed', 'failed', 'cancelled'];

test('no state but the same follows a final state, and every other order is allowed', () => {
  fc.assert(
    fc.property(anyState, anyState, (before, after) => {
      const isWrong = look(begun(before), after).step.kind === 'wrong';
      expect(isWrong).toBe(finals.includes(before) && before !== after);
    }),
  );
});

test('whatever a server sends, its task is asked about one id, and each key answered once', () => {
  const seen = fc.record(
    {
      taskId: fc.oneof(fc.constant('t'), fc.anything()),
      status: fc.oneof(anyState, fc.anything()),
      pollIntervalMs: fc.anything(),
      result: fc.anything(),
      error: fc.anything(),
      inputRequests: fc.oneof(fc.dictionary(fc.string(), fc.object()), fc.anything()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(seen), (answers) => {
      let progress = begun();
      const answered: string[] = [];
      for (const [index, answer] of answers.entries()) {
        const turn = lookAtTask(progress, answer);
        progress = turn.progress ?? progress;
        expect(progress).toMatchObject({ taskId: 't', polls: index + 1 });
        expect(progress.pauseMs).toBeGreaterThanOrEqual(50);
        if (turn.step.kind === 'answer') {
          const keys = Object.keys(turn.step.questions);
          expect(keys.length).toBeGreaterThan(0);
          answered.push(...keys);
          progress = answeredTask(progress, turn.step.questions);
        } else if (turn.step.kind !== 'look') break;
      }
      expect(new Set(answered).size).toBe(answered.length);
    }),
  );
});

test('a trace has the states and counts, never the id', () => {
  const first = look(begun(), 'working').progress as TaskProgress;
  const { progress } = look(first, 'completed');
  expect(taskTraceOf(progress as TaskProgress)).toEqual({
    states: ['working', 'completed'],
    polls: 2,
    updates: 0,
    cancelled: false,
  });
});
