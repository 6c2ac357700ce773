import { expect, test } from 'vitest';
import { nextAction } from '../chain/next-action.ts';
import { failureCategories, stageReasons } from '../chain/vocabulary.ts';
import { sessionNextAction } from './session-next-action.ts';

const rowOf = (reason: (typeof stageReasons)[number]) =>
  [{ stage: 'connection', state: 'failed', reason }] as never;

test('what to do next speaks of sessions and criteria, whatever happened', () => {
  for (const category of [...failureCategories, undefined]) {
    for (const reason of stageReasons) {
      const sentence = sessionNextAction(category, rowOf(reason));
      expect(sentence).toMatch(/^[A-Z][^.\n]{20,}\.$/);
      expect(sentence).not.toMatch(/\b(trials?|cases?|graders?|suites?|prompt)\b/);
    }
  }
});

test('causes that have an action of their own after a trial have one after a session', () => {
  const actionsBy = (of: typeof sessionNextAction) =>
    new Set(
      stageReasons.flatMap((one) =>
        ['setup', undefined].map((category) => of(category as never, rowOf(one))),
      ),
    );
  expect(actionsBy(sessionNextAction).size).toBe(actionsBy(nextAction).size);
});

test('a user or a criterion that failed is no reason to change the server', () => {
  expect(sessionNextAction('evaluator')).toMatch(/plays the user.*says nothing about the server/);
});
