import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capReason,
  capText,
  redactionLimits,
  redactValue,
  showError,
  showItems,
  showValue,
  showValueAt,
} from './redact.ts';

const secret = 'S3cr3t-Planted-0f1e2d';
const telling = fc.constantFrom(
  'authorization',
  'Authorization',
  'x-bearer',
  'PASSWORD',
  'clientSecret',
  'accessToken',
  'api-key',
  'apiKey',
  'API_KEY',
  'Cookie',
  'credentials',
  'private-key',
  'privateKey',
);
const wrapper = fc.oneof(
  fc.tuple(fc.constant('object'), fc.string()),
  fc.tuple(fc.constant('array'), fc.constant('')),
);

describe('what is stored never holds a secret', () => {
  test('under a telling key, at any depth and in any shape', () => {
    fc.assert(
      fc.property(
        telling,
        fc.array(wrapper, { maxLength: 10 }),
        fc.boolean(),
        (key, around, inside) => {
          let value: unknown = { [key]: inside ? { deep: [secret] } : secret };
          for (const [shape, name] of around)
            value = shape === 'array' ? [value] : { [name]: value };
          expect(JSON.stringify(redactValue(value))).not.toContain(secret);
          expect(showValue(value)).not.toContain(secret);
          expect(showItems([value, value])).not.toContain(secret);
        },
      ),
    );
  });

  test('in a text that names it, as a header, a form, JSON or JSON inside JSON', () => {
    fc.assert(
      fc.property(telling, fc.string({ maxLength: 50 }), (key, before) => {
        const json = JSON.stringify({ [key]: `two words ${secret}` });
        const sentences = [`${key}: ${secret}`, `Incorrect ${key} provided: ${secret}`];
        const texts = [...sentences, `${key}=${secret}`, json, JSON.stringify(json)];
        for (const text of [...texts, `Bearer ${secret}`, `${key}: Bearer ${secret}`]) {
          expect(showError(new Error(`${before} ${text}`))).not.toContain(secret);
          expect(showValue({ note: `${before} ${text}` })).not.toContain(secret);
        }
      }),
    );
  });

  test('other values stay as they are', () => {
    const value = { q: 'weather', limit: 3, nested: { list: [1, null, true] } };
    expect(redactValue(value)).toEqual(value);
    expect(redactValue({ password: 'x' })).toEqual({ password: '[redacted]' });
  });
});

describe('what is stored is bounded', () => {
  test('a value at 200 characters, an error at 200, a reason at 600', () => {
    const long = 'x'.repeat(5000);
    expect(showValue(long)).toHaveLength(200);
    expect(showValue({ long, other: long })).toHaveLength(200);
    expect(showError(new Error(long))).toHaveLength(200);
    expect(capReason(long)).toHaveLength(600);
    expect(capReason('short')).toBe('short');
  });

  test('three items of a list, with the number of the others', () => {
    expect(showItems([1, 2, 3])).toBe('1, 2, 3');
    expect(showItems([1, 2, 3, 4, 5])).toBe('1, 2, 3 and 2 more');
  });

  test('six levels and twenty items', () => {
    const deep = { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } };
    expect(redactValue(deep)).toEqual({ a: { a: { a: { a: { a: { a: '[…]' } } } } } });
    const items = redactValue(Array.from({ length: 25 }, (_, index) => index)) as unknown[];
    expect(items).toHaveLength(redactionLimits.arrayItems + 1);
    expect(items.at(-1)).toBe('[…]');
  });

  test('a wide tree costs no more than its budget', () => {
    const level = (inner: unknown) => Array.from({ length: 20 }, () => inner);
    const wide = level(level(level(level(level(level(1))))));
    expect(JSON.stringify(redactValue(wide)).length).toBeLessThan(50_000);
  });

  test('no half of a character pair and no zero character is left', () => {
    expect(capText(`${'x'.repeat(8)}😀`, 10).isWellFormed()).toBe(true);
    expect(capText(`${'x'.repeat(8)}😀😀`, 10).isWellFormed()).toBe(true);
    expect(capText('a\u0000b', 10)).toBe('a\ufffdb');
  });
});

test('anything at all can be shown: cycles, functions, throwing getters', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const trap = {
    get boom(): never {
      throw new Error('no');
    },
  };
  expect(showValue(cycle)).toContain('[…]');
  expect(redactValue(trap)).toBe('[unreadable]');
  expect(redactValue([() => 1, 1n, Number.NaN, undefined])).toEqual([
    '[function]',
    '[bigint]',
    'NaN',
    '[undefined]',
  ]);
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
      (value) => {
        expect(showValue(value).length).toBeLessThanOrEqual(200);
        expect(showError(value).length).toBeLessThanOrEqual(200);
      },
    ),
  );
});

test('what stands below a telling name is hidden, also where it is shown alone', () => {
  expect(showValueAt('/credentials/code', 'abcdefgh')).toBe('"[redacted]"');
  expect(showValueAt('/items/0/apiKey', { a: 1 })).toBe('"[redacted]"');
  expect(showValueAt('/items/0/price', 3)).toBe('3');
});
