import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** The round trip turns −0 into 0. A row of the table below tests −0. */
const plain = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));

describe('one spelling for one value', () => {
  test('equal values have equal text, whatever the order of their keys', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalJson(withKeysReversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('the text says what the value says', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  test('different values have different text', () => {
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        if (canonicalJson(one) === canonicalJson(other)) expect(one).toEqual(other);
      }),
    );
  });

  test.each<[string, unknown, string]>([
    [
      'keys come in order of their UTF-16 units',
      { b: 1, a: 2, B: 3, '10': 4, '9': 5 },
      '{"10":4,"9":5,"B":3,"a":2,"b":1}',
    ],
    ['a surrogate pair comes before U+FFFD', { '\uFFFD': 1, '😀': 2 }, '{"😀":2,"\uFFFD":1}'],
    ['an absent property is left out', { a: undefined, b: 1 }, '{"b":1}'],
    ['an absent element is null', [undefined, 1], '[null,1]'],
    ['a hole is an absent element', new Array(2), '[null,null]'],
    ['minus zero is zero', [-0, { a: -0 }], '[0,{"a":0}]'],
    ['a null is a value', { a: null }, '{"a":null}'],
    ['nested keys are ordered too', [{ b: { d: 1, c: 2 }, a: [] }], '[{"a":[],"b":{"c":2,"d":1}}]'],
    [
      'a key named __proto__ is a key',
      JSON.parse('{"__proto__":1,"a":2}'),
      '{"__proto__":1,"a":2}',
    ],
    ['an object without a prototype is an object', Object.create(null), '{}'],
    ['the same object twice is no cycle', twice({ a: 1 }), '[{"a":1},{"a":1}]'],
  ])('%s', (_title, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('what JSON cannot say is refused', () => {
  const cycle: unknown[] = [];
  cycle.push({ deeper: [cycle] });
  test.each<[string, unknown]>([
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['minus infinity', Number.NEGATIVE_INFINITY],
    ['a cycle', cycle],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an instance of a class of ours', new (class Ours {})()],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a big integer', 1n],
    ['nothing at all', undefined],
  ])('%s, also deep inside', (_title, value) => {
    if (value !== undefined) expect(() => canonicalJson({ a: [value] })).toThrow(TypeError);
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, withKeysReversed(item)]));
}

function twice(value: unknown): unknown[] {
  return [value, value];
}
