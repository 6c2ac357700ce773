import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedHash } from './keyed-hash.ts';

test('it is HMAC-SHA-256, for every key and text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      (key, text) => {
        const expected = createHmac('sha256', key).update(text).digest('hex');
        expect(keyedHash(Buffer.from(key))(text, 'hex')).toBe(expected);
      },
    ),
  );
});

test('a key longer than a block is refused', () => {
  expect(() => keyedHash(Buffer.alloc(65))).toThrow(RangeError);
});
