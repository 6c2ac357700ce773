import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IdKind, idPrefixes, makeId } from './ids.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const chance = fc.uint8Array({ minLength: 10, maxLength: 10 });
const instant = fc.integer({ min: 0, max: 2 ** 45 });

test('an id says its kind and has one length', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), instant, chance, (kind, nowMs, bytes) => {
      expect(makeId(kind, nowMs, bytes)).toMatch(
        new RegExp(`^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`),
      );
    }),
  );
});

test('a later id sorts after an earlier one, whatever chance says', () => {
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 1, max: 1e9 }),
      chance,
      chance,
      (nowMs, laterMs, one, other) => {
        expect(makeId('server', nowMs, one) < makeId('server', nowMs + laterMs, other)).toBe(true);
      },
    ),
  );
});

test('different chance gives different ids', () => {
  fc.assert(
    fc.property(instant, chance, chance, (nowMs, one, other) => {
      const same = Buffer.from(one).equals(Buffer.from(other));
      expect(makeId('server', nowMs, one) === makeId('server', nowMs, other)).toBe(same);
    }),
  );
});

test('too little chance is refused', () => {
  expect(() => makeId('server', 0, new Uint8Array(9))).toThrow(RangeError);
});
