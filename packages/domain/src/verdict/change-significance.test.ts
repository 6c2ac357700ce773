import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeSignificance } from './change-significance.ts';

const of = (passed: number, trials: number) => ({ passed, trials });

/**
 * Two-sided chances, computed by hand: 4/4 to 0/4 is 2 × 1/C(8,4) = 0.0286; 3/3 to 0/3 is 2 ×
 * 1/C(6,3) = 0.1; 10/10 to 5/10 is 0.0325; 9/10 to 5/10 is 0.141.
 */
test.each([
  [of(4, 4), of(0, 4), 'outside_noise'],
  [of(3, 3), of(0, 3), 'too_few'],
  [of(1, 1), of(0, 1), 'too_few'],
  [of(0, 0), of(5, 5), 'too_few'],
  [of(5, 5), of(5, 5), 'within_noise'],
  [of(5, 5), of(2, 5), 'within_noise'],
  [of(5, 5), of(0, 5), 'outside_noise'],
  [of(10, 10), of(5, 10), 'outside_noise'],
  [of(9, 10), of(5, 10), 'within_noise'],
  [of(50, 50), of(45, 50), 'within_noise'],
  [of(100, 100), of(90, 100), 'outside_noise'],
  // Exactly at the limit of 0.025: 1 of 40 possible splits.
  [of(1, 1), of(0, 39), 'outside_noise'],
  [of(1, 1), of(0, 38), 'too_few'],
  [of(10_000, 10_000), of(9_900, 10_000), 'outside_noise'],
])('%o to %o: %s', (base, compare, expected) => {
  expect(changeSignificance(base, compare)).toBe(expected);
});

const sizes = fc.record({
  before: fc.integer({ min: 0, max: 25 }),
  now: fc.integer({ min: 0, max: 25 }),
});

test('neither the order of the runs nor what is called passing matters', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), ({ before, now }, one, other) => {
      const base = of(one % (before + 1), before);
      const compare = of(other % (now + 1), now);
      const told = changeSignificance(base, compare);
      expect(changeSignificance(compare, base)).toBe(told);
      expect(
        changeSignificance(of(before - base.passed, before), of(now - compare.passed, now)),
      ).toBe(told);
    }),
  );
});

test('a change that is outside the noise stays outside when it grows', () => {
  for (let before = 1; before <= 14; before += 1) {
    for (let now = 1; now <= 14; now += 1) {
      for (let passed = 0; passed <= before; passed += 1) {
        const told = Array.from({ length: now + 1 }, (_, count) =>
          changeSignificance(of(passed, before), of(count, now)),
        );
        const isOutside = told.map((one) => one === 'outside_noise');
        const within = isOutside.lastIndexOf(false) - isOutside.indexOf(false) + 1;
        // Counts within the noise are contiguous: on both sides of them, every more extreme count
        // is outside.
        expect(isOutside.filter((one) => !one)).toHaveLength(within);
      }
    }
  }
});

test('equal rates are never outside the noise', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.nat(12), fc.integer({ min: 1, max: 6 }), (passed, failed, times) => {
      const base = of(passed, passed + failed);
      const compare = of(passed * times, (passed + failed) * times);
      expect(changeSignificance(base, compare)).not.toBe('outside_noise');
    }),
  );
});

test('too few is said exactly where no outcome of these sizes could be outside the noise', () => {
  for (let before = 0; before <= 12; before += 1) {
    for (let now = 0; now <= 12; now += 1) {
      const told = new Set<string>();
      for (let one = 0; one <= before; one += 1) {
        for (let other = 0; other <= now; other += 1) {
          told.add(changeSignificance(of(one, before), of(other, now)));
        }
      }
      expect(told.has('too_few')).toBe(!told.has('outside_noise'));
      if (told.has('too_few')) expect(told.size).toBe(1);
    }
  }
});
