import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSimplePattern } from './read-simple-pattern.ts';
import { NotChecked } from './schema-work.ts';
import { matchesSimple, simplePatterns, writeSimple } from './simple-pattern.ts';

const read = (source: string) => {
  const pattern = readSimplePattern(source);
  if (pattern === undefined) throw new Error(`${source} was not read.`);
  return pattern;
};

test.each([
  ['^[A-Z]{3}-\\d{4}$', 'AAA-1111'],
  ['^(issue|pull)/[0-9]+$', 'issue/1'],
  ['^\\+?[1-9]\\d{1,14}$', '11'],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a'],
  ['^[0-9a-f]{8}-[0-9a-f]{4}$', 'aaaaaaaa-aaaa'],
  ['^app[a-zA-Z0-9]{14}$', 'appaaaaaaaaaaaaaa'],
  ['^[^/\\s]+/[^/\\s]+$', 'a/a'],
  ['.+@.+\\..+', 'a@a.a'],
])('a text that %s matches', (source, text) => {
  expect(writeSimple(read(source), 0)).toBe(text);
  expect(text).toMatch(new RegExp(source, 'u'));
});

test.each([
  '(?=a)b',
  '(a)\\1',
  '\\bword\\b',
  '\\p{L}+',
  'a**',
  '(',
  '[z-a]',
  '[',
  '\\u0041',
  'a{2',
])('%s is not read', (source) => expect(readSimplePattern(source)).toBeUndefined());

test('what cannot match is not written', () => {
  expect(writeSimple(read('a^b'), 0)).toBeUndefined();
  expect(writeSimple(read('a$b'), 0)).toBeUndefined();
});

test('a pattern that an engine takes for ever over is answered at once', () => {
  const test = simplePatterns('^(a+)+$');
  expect(test?.(`${'a'.repeat(500)}b`)).toBe(false);
  const bomb = readSimplePattern('^(((a?){300}){300}){300}$');
  expect(bomb && writeSimple(bomb, 0)).toBeUndefined();
  expect(() => simplePatterns('^(((a?){300}){300}){300}$')?.('b')).toThrow(NotChecked);
});

const literal = fc.constantFrom(
  'a',
  'b',
  '1',
  '-',
  '\\.',
  '\\d',
  '\\w',
  '\\s',
  '.',
  '[a-c]',
  '[^a]',
  '[-x]',
);
const source = fc.letrec<{ part: string; row: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc
      .tuple(literal, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'))
      .map((two) => two.join('')),
    fc.tuple(tie('row'), tie('row')).map(([one, other]) => `(${one}|${other})`),
    tie('row').map((row) => `(?:${row})?`),
  ),
  row: fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
})).row;
const anchored = fc
  .tuple(fc.constantFrom('', '^'), source, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''));

test('matching is that of the engine, and what is written matches', () => {
  fc.assert(
    fc.property(
      anchored,
      fc.string({ maxLength: 8, unit: fc.constantFrom(...'abc1-. x') }),
      (one, text) => {
        const engine = new RegExp(one, 'u');
        const pattern = read(one);
        expect(matchesSimple(pattern, text), `${one} ${text}`).toBe(engine.test(text));
        for (const more of [0, 1, 5]) {
          const written = writeSimple(pattern, more);
          if (written !== undefined) expect(written).toMatch(engine);
        }
      },
    ),
    { numRuns: 300 },
  );
});
