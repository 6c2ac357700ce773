import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../kernel/json.ts';
import { argumentsMatch, deepEqual } from './argument-matching.ts';

const json = fc.jsonValue() as fc.Arbitrary<unknown>;
const args = fc.dictionary(fc.string(), json);

/**
 * An independent definition of equality, with which the tested one is compared: equal values give
 * equal text, with sorted keys.
 */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))
      : inner,
  );
}

describe('exact', () => {
  test('is deep equality', () => {
    // The test does not mix objects with arrays of pairs, because the canonical text writes both in
    // the same way.
    const small = fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.nat(1), fc.constant(null)));
    const nested = fc.dictionary(fc.constantFrom('x', 'y'), small);
    fc.assert(
      fc.property(nested, nested, (one, other) => {
        expect(argumentsMatch(one, other, 'exact')).toBe(canonical(one) === canonical(other));
      }),
    );
  });

  test('holds for a copy with its keys in another order, and not after a change', () => {
    fc.assert(
      fc.property(args, fc.string(), (one, key) => {
        const turned = Object.fromEntries(Object.entries(one).reverse());
        expect(argumentsMatch(one, structuredClone(turned), 'exact')).toBe(true);
        const changed = { ...one, [key]: { was: one[key] ?? null } };
        expect(argumentsMatch(one, changed, 'exact')).toBe(false);
      }),
    );
  });

  test('is symmetric', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(deepEqual(one, other)).toBe(deepEqual(other, one));
        expect(deepEqual(one, one)).toBe(true);
      }),
    );
  });

  test.each([
    [{}, { a: 1 }, false],
    [{ a: 'any' }, { a: 1 }, false],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: null }, {}, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ])('%j and %j: %s', (expected, actual, same) => {
    expect(argumentsMatch(expected, actual, 'exact')).toBe(same);
  });

  test('very deep arguments do not overflow', () => {
    const deep = () => {
      let value: unknown = 1;
      for (let level = 0; level < 50_000; level += 1) value = [value];
      return { value };
    };
    expect(argumentsMatch(deep(), deep(), 'exact')).toBe(true);
  });
});

describe('partial', () => {
  test.each([
    [{}, { a: 1 }, true],
    [{}, {}, true],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }, false],
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ toString: 'any' }, {}, false],
  ])('%j is met by %j: %s', (expected, actual, met) => {
    expect(argumentsMatch(expected, actual, 'partial')).toBe(met);
  });

  const values: [string, unknown][] = [
    ['string', 'text'],
    ['number', 1],
    ['boolean', false],
    ['object', { a: 1 }],
    ['array', [1]],
    ['null', null],
  ];
  test.each(values)('the word %s stands for its type only', (word) => {
    for (const [type, value] of values) {
      expect(argumentsMatch({ a: word }, { a: value }, 'partial')).toBe(type === word);
      expect(argumentsMatch({ a: ` ${word.toUpperCase()} ` }, { a: value }, 'partial')).toBe(
        type === word,
      );
      expect(argumentsMatch({ a: 'any' }, { a: value }, 'partial')).toBe(true);
    }
    expect(argumentsMatch({ a: word }, {}, 'partial')).toBe(false);
    expect(argumentsMatch({ a: 'any' }, {}, 'partial')).toBe(false);
  });

  test('a word inside a nested value is itself', () => {
    expect(argumentsMatch({ a: { b: 'any' } }, { a: { b: 1 } }, 'partial')).toBe(false);
    expect(argumentsMatch({ a: ['any'] }, { a: ['any'] }, 'partial')).toBe(true);
  });
});

test('ignore is met by anything, and exact implies partial where no word stands for a type', () => {
  fc.assert(
    fc.property(args, args, (expected, actual) => {
      expect(argumentsMatch(expected, actual, 'ignore')).toBe(true);
      const words = ['any', 'string', 'number', 'boolean', 'object', 'array', 'null'];
      fc.pre(
        !Object.values(expected).some(
          (value) => typeof value === 'string' && words.includes(value.trim().toLowerCase()),
        ),
      );
      expect(argumentsMatch(expected, expected, 'partial')).toBe(true);
    }),
  );
});
