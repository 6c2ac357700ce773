import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutSlices } from './cut-slices.ts';

test('Every trial is in exactly one slice, in order, and none is larger than twenty', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12_000 }),
      fc.integer({ min: 1, max: 64 }),
      (trials, lanes) => {
        let next = 1;
        for (const { firstOrdinal, lastOrdinal } of cutSlices(trials, lanes)) {
          expect(firstOrdinal).toBe(next);
          expect(lastOrdinal).toBeGreaterThanOrEqual(firstOrdinal);
          expect(lastOrdinal - firstOrdinal).toBeLessThan(20);
          next = lastOrdinal + 1;
        }
        expect(next).toBe(trials + 1);
      },
    ),
  );
});

test('A small run gives every lane something to do', () => {
  expect(cutSlices(8, 8)).toHaveLength(8);
  expect(cutSlices(40, 8)).toHaveLength(20);
  expect(cutSlices(10_000, 8)).toHaveLength(500);
});
