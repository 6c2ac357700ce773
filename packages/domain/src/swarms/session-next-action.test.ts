import { expect, test } from 'vitest';
import { trialAdvice } from '../chain/trial-advice.ts';
import { failureCategories, stageReasons } from '../chain/vocabulary.ts';
import { sessionAdvice, sessionNextAction } from './session-next-action.ts';

const rowOf = (reason: (typeof stageReasons)[number]) =>
  [{ stage: 'connection', state: 'failed', reason }] as never;

test('what to do next speaks of sessions and criteria, whatever happened', () => {
  for (const category of [...failureCategories, undefined]) {
    for (const reason of stageReasons) {
      const advice = sessionAdvice(category, rowOf(reason));
      for (const sentence of [sessionNextAction(category), advice ?? sessionNextAction(category)]) {
        expect(sentence).toMatch(/^[A-Z][^.\n]{20,}\.$/);
        expect(sentence).not.toMatch(/\b(trials?|cases?|graders?|suites?|prompt)\b/);
      }
    }
  }
});

test('causes that have advice of their own after a trial have one after a session', () => {
  const actionsBy = (of: typeof sessionAdvice) =>
    new Set(
      stageReasons.flatMap((one) =>
        ['setup', undefined].map((category) => of(category as never, rowOf(one))),
      ),
    );
  expect(actionsBy(sessionAdvice).size).toBe(actionsBy(trialAdvice).size);
});

test('a user or a criterion that failed is no reason to change the server', () => {
  expect(sessionNextAction('evaluator')).toMatch(/plays the user.*says nothing about the server/);
});
