import { expect, test } from 'vitest';
import { nextAction, nextActions } from './next-action.ts';
import { failureCategories } from './vocabulary.ts';

test('every category and the lack of one have one sentence of their own, and there are no others', () => {
  const sentences = [...failureCategories, undefined].map(nextAction);
  expect(new Set(sentences).size).toBe(8);
  expect(sentences.toSorted()).toEqual(nextActions.toSorted());
});

test('each is one sentence that promises no trace, which a reported trial may not have', () => {
  for (const sentence of nextActions) {
    expect(sentence).toMatch(/^[A-Z][^.\n]{20,}\.$/);
    expect(sentence).not.toMatch(/trace/i);
  }
});

test('without a category it sends the reader to what was recorded and blames nothing', () => {
  expect(nextAction(undefined)).toMatch(/what was recorded/);
  expect(nextAction(undefined)).not.toMatch(/server|model|grader|network/i);
});

test('a broken grader is never a reason to change the server', () => {
  expect(nextAction('evaluator')).toMatch(/grader.*says nothing about the server/);
});

test('a set-up speaks of everything it may be', () => {
  for (const cause of ['credentials', 'environment', 'provider', 'address', 'network']) {
    expect(nextAction('setup')).toContain(cause);
  }
});
