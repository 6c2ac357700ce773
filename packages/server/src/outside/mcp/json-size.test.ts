import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSize } from './json-size.ts';

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.integer(),
    fc.stringMatching(/^[a-z]*$/),
    fc.array(tie('value')),
    fc.dictionary(fc.stringMatching(/^[a-z]+$/), tie('value')),
  ),
})).value;

test('it is the length of the JSON, give or take a separator for each list and object', () => {
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify(value);
      const size = jsonSize(value, 1_000_000);
      expect(size).toBeGreaterThanOrEqual(text.length);
      expect(size).toBeLessThanOrEqual(text.length + (text.match(/[[{]/g)?.length ?? 0));
    }),
  );
});

test('nothing is looked at once the limit is passed', () => {
  const list = new Array<unknown>(10_000).fill(1);
  Object.defineProperty(list, 1_000, {
    enumerable: true,
    get: () => {
      throw new Error('looked at');
    },
  });
  expect(jsonSize({ list }, 1_000)).toBeGreaterThan(1_000);
  expect(() => jsonSize({ list }, 10_000)).toThrow('looked at');
});

test('the keys of a long list are never taken down at once', () => {
  const list = new Proxy(new Array<unknown>(10_000).fill(1), {
    ownKeys: () => {
      throw new Error('all keys were asked for');
    },
  });
  expect(jsonSize(list, 1_000)).toBeGreaterThan(1_000);
});
