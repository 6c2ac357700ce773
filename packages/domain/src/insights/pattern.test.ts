import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternOf, slugOf } from './pattern.ts';

test.each([
  ['Order "A-17" not found', 'order <text> not found'],
  ["User 'bob' can't pay", "user <text> can't pay"],
  ['Timeout after 5000 ms', 'timeout after <number> ms'],
  ['Took 1.5 s of 3,000', 'took <number> s of <number>'],
  ['GET https://api.example/v1?x=1 failed', 'get <url> failed'],
  ['No row 01jd000abc in deadbeef', 'no row <id> in <id>'],
  ['Trace 550e8400-e29b-41d4-a716-446655440000', 'trace <id>'],
  ['Trace 12345678-e29b-41d4-a716-446655440000', 'trace <id>'],
  ['  Two\n  lines ', 'two lines'],
])('%j has the pattern %j', (text, pattern) => {
  expect(patternOf(text)).toBe(pattern);
});

test('a slug is the first six words', () => {
  expect(slugOf(patternOf('Order "A" was not found in the store'))).toBe(
    'order-text-was-not-found-in',
  );
  expect(slugOf('')).toBe('');
});

test('whatever the text, a pattern has an end, one line and no number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const pattern = patternOf(text);
      expect(pattern.length).toBeLessThanOrEqual(200);
      expect(pattern).not.toMatch(/\d|\n/);
      expect(slugOf(pattern).split('-').length).toBeLessThanOrEqual(6);
    }),
  );
});
