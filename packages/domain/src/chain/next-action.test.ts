import { expect, test } from 'vitest';
import { nextAction } from './next-action.ts';
import { failureCategories } from './vocabulary.ts';

test('every category and the lack of one have one sentence of their own', () => {
  const sentences = [...failureCategories, undefined].map(nextAction);
  expect(new Set(sentences).size).toBe(8);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.\n]{20,}\.$/);
});

test('without a category it sends the reader to what was recorded and blames nothing', () => {
  expect(nextAction(undefined)).toMatch(/what was recorded/);
  expect(nextAction(undefined)).not.toMatch(/server|model|grader|network/i);
});

test('a broken grader is never a reason to change the server', () => {
  expect(nextAction('evaluator')).toMatch(/grader.*says nothing about the server/);
});

test('nobody is sent to a trace, which a reported trial may not have', () => {
  for (const category of [...failureCategories, undefined]) {
    expect(nextAction(category)).not.toMatch(/trace/i);
  }
});
