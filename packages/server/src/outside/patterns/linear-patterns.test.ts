import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPatterns, maxPatternLength } from './linear-patterns.ts';

describe('a pattern means what it means in JavaScript without flags', () => {
  test.each([
    ['cat', 'the cat sat'],
    ['^cat$', 'cat\n'],
    ['^cat$', 'dog\ncat'],
    ['Cat', 'cat'],
    ['a.c', 'a\nc'],
    ['\\d{4}-\\d{2}', 'on 2024-05'],
    ['(?<year>\\d+)', 'year 7'],
    ['a/b', 'a/b'],
    ['\\u0041', 'A'],
    ['[^]', '\n'],
    ['\\bcat\\b', 'concat'],
  ])('%s on %j', (pattern, text) => {
    expect(linearPatterns.test(pattern, text)).toBe(new RegExp(pattern).test(text));
  });

  test('for plain alternations and classes over any short text', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '[ab]', '[^a]', 'a|b', '(ab)', 'a*', 'b?', '^', '$'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'c')).map((letters) => letters.join(''));
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        fc.pre(isJavaScript(source));
        expect(linearPatterns.test(source, input)).toBe(new RegExp(source).test(input));
      }),
    );
  });
});

test.each([
  '(',
  '[a',
  'a**',
  '(?=a)',
  '(a)\\1',
  '(?<!a)b',
  'x{1001}',
  '\\pL{1000}'.repeat(20),
  '(a{30}){30}'.repeat(20),
  'a'.repeat(maxPatternLength + 1),
])('%s is a problem, not an answer', (pattern) => {
  expect(linearPatterns.test(pattern, 'aaa')).toEqual({ problem: expect.any(String) });
});

test('a pattern that would try every split answers on a long text', () => {
  expect(linearPatterns.test('^(a|a)*$', `${'a'.repeat(50_000)}b`)).toBe(false);
  expect(linearPatterns.test('(x+x+)+y', 'x'.repeat(50_000))).toBe(false);
});

test('a large repetition is refused on a long text and runs on a short one', () => {
  const pattern = '\\pL{900}\\pN';
  expect(linearPatterns.test(pattern, 'ab'.repeat(50_000))).toEqual({
    problem: expect.any(String),
  });
  expect(linearPatterns.test(pattern, `${'a'.repeat(900)}1`)).toBe(true);
});

test('no pattern makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (pattern, text) => {
      const answer = linearPatterns.test(pattern, text);
      expect(typeof answer === 'boolean' || typeof answer.problem === 'string').toBe(true);
    }),
  );
});

function isJavaScript(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
