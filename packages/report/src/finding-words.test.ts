import { expect, test } from 'vitest';
import { mostOftenSentence } from './finding-words.ts';

test('a pattern is told by a message of it, in the words that were recorded', () => {
  const patterns = [
    { pattern: '<text> was never called.', affected: 2 },
    { pattern: 'another', affected: 1 },
  ];
  const reasons = ['Another', '"read_terms" was never called.', '"x" was never called.'];
  const exemplars = reasons.map((reason) => ({ reason }));
  expect(mostOftenSentence({ patterns, exemplars })).toBe(
    'Most often, like: "read_terms" was never called.',
  );
  expect(mostOftenSentence({ patterns, exemplars: [{}] })).toBe(
    'Most often, like: <text> was never called.',
  );
  expect(mostOftenSentence({ patterns: [], exemplars })).toBeUndefined();
});
