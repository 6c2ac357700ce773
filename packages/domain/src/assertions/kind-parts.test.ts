import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atPointer, isJsonPointer } from './json-pointer.ts';
import { saysDeprecated } from './says-deprecated.ts';
import { schemaProblem, subschemasOf } from './schema-problem.ts';
import { wordF1, wordsOf } from './word-f1.ts';

describe('a JSON pointer', () => {
  const example = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };
  test.each([
    ['', example],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j', (pointer, expected) => {
    expect(isJsonPointer(pointer)).toBe(true);
    expect(atPointer(example, pointer)).toEqual({ value: expected });
  });

  test.each(['/foo/2', '/foo/-', '/foo/01', '/foo/length', '/x', '/foo/0/0', '/__proto__'])(
    '%j is nowhere',
    (pointer) => expect(atPointer(example, pointer)).toBeUndefined(),
  );

  test('finds every part of any value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, key) => {
        const whole = { ...value, [`${key}x`]: { [key]: 1 } };
        const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
        const pointer = `/${escaped(`${key}x`)}/${escaped(key)}`;
        expect(isJsonPointer(pointer)).toBe(true);
        expect(atPointer(JSON.parse(JSON.stringify(whole)), pointer)).toEqual(
          key === '__proto__' ? undefined : { value: 1 },
        );
      }),
    );
  });
});

describe('F1 over words', () => {
  test.each([
    ['a b', 'b a', 1],
    ['a b', 'A, B!', 1],
    ['a', 'b', 0],
    ['a a b', 'a b b', 2 / 3],
    ['the cat', 'the cat sat on', 2 / 3],
    ['STRASSE', 'straße', 1],
    ['naïve', 'naïve', 1],
    ['東京', '京東', 1],
    ['', 'a', 0],
    ['', '', 0],
  ])('of %j and %j is %s', (one, other, expected) => {
    expect(wordF1(one, other)).toBeCloseTo(expected, 10);
  });

  test('is from 0 to 1, the same both ways, 1 for the same words in any order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'Ä', '1', '東'), { maxLength: 6 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const score = wordF1(one.join(' '), other.join(' '));
        expect(score).toBe(wordF1(other.join(' '), one.join(' ')));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        if (one.length > 0) expect(wordF1(one.join(' '), one.toReversed().join('. '))).toBe(1);
      }),
    );
  });

  test('counts words of any text without end', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => wordsOf(text).length >= 0));
  });
});

test.each([
  ['Deprecated: use b.', true],
  ['This tool is DEPRECATED', true],
  ['(obsolete)', true],
  ['Not deprecated.', false],
  ['This is no longer deprecated.', false],
  ["It isn't obsolete yet", false],
  ['Lists non-deprecated APIs', false],
  ['Not fast. Deprecated.', true],
  ['Finds undeprecated_things', false],
  ['Deprecates a thing', false],
  ['', false],
])('%j says it is deprecated: %s', (description, expected) => {
  expect(saysDeprecated(description)).toBe(expected);
});

describe('a schema', () => {
  test.each<[unknown, string]>([
    [true, 'wellFormed'],
    [{}, 'wellFormed'],
    [{ type: ['string', 'null'], enum: ['a', null] }, 'wellFormed'],
    [{ $defs: { a: {} }, properties: { x: { $ref: '#/$defs/a' } } }, 'wellFormed'],
    [{ items: [{}, { type: 'string' }] }, 'wellFormed'],
    [{ dependencies: { a: ['b'], c: {} } }, 'wellFormed'],
    [{ properties: { type: { type: 'string' }, required: {} } }, 'wellFormed'],
    [1, 'malformed'],
    [[], 'malformed'],
    [{ type: 'text' }, 'malformed'],
    [{ type: [] }, 'malformed'],
    [{ properties: [] }, 'malformed'],
    [{ properties: { a: { type: 'nothing' } } }, 'malformed'],
    [{ items: 1 }, 'malformed'],
    [{ required: 'a' }, 'malformed'],
    [{ required: [1] }, 'malformed'],
    [{ anyOf: [] }, 'malformed'],
    [{ anyOf: [1] }, 'malformed'],
    [{ not: 'x' }, 'malformed'],
    [{ minLength: -1 }, 'malformed'],
    [{ minimum: '1' }, 'malformed'],
    [{ pattern: 1 }, 'malformed'],
    [{ $ref: '#/$defs/a' }, 'malformed'],
    [{ enum: Array(30_000).fill(0), anyOf: Array(30_000).fill({}) }, 'notChecked'],
  ])('%# is %s', (schema, state) => {
    expect(schemaProblem(schema).state).toBe(state);
  });

  test('that is nested beyond any stack is still looked at', () => {
    let schema: object = { type: 'nothing' };
    for (let depth = 0; depth < 15_000; depth += 1) schema = { not: schema };
    expect(schemaProblem(schema).state).toBe('malformed');
    expect([...subschemasOf({ not: { items: true } })].map(({ path }) => path)).toEqual([
      '',
      '/not',
      '/not/items',
    ]);
  });
});
