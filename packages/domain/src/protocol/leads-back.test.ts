import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leadsBackToInitialize } from './leads-back.ts';

test('exactly the three errors of the newer era never lead back to initialize', () => {
  expect([-32020, -32021, -32022].some(leadsBackToInitialize)).toBe(false);
  fc.assert(
    fc.property(fc.integer({ min: -33_000, max: 1000 }), (code) => {
      fc.pre(code < -32_022 || code > -32_020);
      expect(leadsBackToInitialize(code)).toBe(true);
    }),
  );
});
