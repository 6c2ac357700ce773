import { expect, test } from 'vitest';
import { judgeByRules } from './rule-judge.ts';

const intents = (...states: ('open' | 'done' | 'givenUp')[]) =>
  states.map((state, index) => ({ text: `Part ${index}`, state }));
const ok = { failed: false };
const failed = { failed: true };

test.each([
  ['all done', intents('done', 'done'), [ok], 1, 'Everything the user asked for was answered.'],
  ['one given up', intents('done', 'givenUp'), [ok], 0.5, 'Given up: “Part 1”.'],
  ['cut short', intents('done', 'done', 'open', 'open'), [], 0.5, 'Not reached: “Part 2”.'],
  [
    'the last call failed',
    intents('done', 'done'),
    [ok, failed],
    0.75,
    'Everything the user asked for was answered. The last tool call failed.',
  ],
  ['a later call made good', intents('done'), [failed, ok], 1, expect.any(String)],
  ['never below nothing', intents('givenUp'), [failed], 0, expect.any(String)],
])('%s', (_, stated, calls, score, reason) => {
  expect(judgeByRules({ intents: stated, calls, hasRubric: true })).toEqual({ score, reason });
});

test('without criteria no score is above 0.85, and the reason says so first', () => {
  expect(judgeByRules({ intents: intents('done'), calls: [], hasRubric: false })).toEqual({
    score: 0.85,
    reason:
      'The score is capped at 0.85, because the journey has no checks. Everything the user asked for was answered.',
  });
  const half = { intents: intents('done', 'open'), calls: [], hasRubric: false };
  expect(judgeByRules(half)).toMatchObject({ score: 0.5 });
});

test('of a session that somebody else played it says nothing', () => {
  expect(judgeByRules({ intents: null, calls: [ok], hasRubric: true })).toEqual({
    errorCode: 'no_judge_model',
  });
});
