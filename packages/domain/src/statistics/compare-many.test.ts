import { describe, expect, test } from 'vitest';
import { adjustByBenjaminiHochberg, adjustByHolm } from './adjust-for-many.ts';
import { compareMany, regressedHistories } from './compare-many.ts';
import { fisherExact, smallestFisherExact } from './fisher-exact.ts';

const counts = (passed: number, trials: number) => ({ passed, trials });
const change = (from: [number, number], to: [number, number]) => ({
  base: counts(...from),
  compare: counts(...to),
});
const same = change([10, 20], [10, 20]);

describe("Fisher's exact test", () => {
  test('counts the outcomes that are at most as likely', () => {
    // Of the 20 ways to place 3 passed trials among 6 trials, 2 are as uneven.
    expect(fisherExact(counts(3, 3), counts(0, 3))).toBeCloseTo(2 / 20, 15);
    expect(fisherExact(counts(1, 1), counts(0, 19))).toBeCloseTo(1 / 20, 15);
    expect(fisherExact(counts(5, 10), counts(5, 10))).toBe(1);
    expect(fisherExact(counts(0, 4), counts(0, 4))).toBe(1);
    expect(fisherExact(counts(4, 4), counts(7, 7))).toBe(1);
  });

  test('needs trials on both sides', () => {
    expect(fisherExact(counts(0, 0), counts(1, 3))).toBeNull();
    expect(fisherExact(counts(1, 3), counts(0, 0))).toBeNull();
  });

  test('has a smallest chance for every pair of sizes', () => {
    for (const [base, compare] of [
      [1, 1],
      [2, 5],
      [4, 4],
      [5, 3],
      [7, 8],
    ] as const) {
      let smallest = 1;
      for (let before = 0; before <= base; before += 1) {
        for (let now = 0; now <= compare; now += 1) {
          const chance = fisherExact(counts(before, base), counts(now, compare)) ?? 1;
          smallest = Math.min(smallest, chance);
        }
      }
      expect(smallestFisherExact(base, compare)).toBeCloseTo(smallest, 14);
    }
  });
});

describe('adjusted chances', () => {
  test('by Holm never fall in the order of the chances', () => {
    expect(adjustByHolm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
    expect(adjustByHolm([0.9, 0.8])).toEqual([1, 1]);
    expect(adjustByHolm([])).toEqual([]);
  });

  test('by Benjamini and Hochberg never rise towards smaller chances', () => {
    const adjusted = adjustByBenjaminiHochberg([0.04, 0.01, 0.03]);
    expect(adjusted.map((chance) => chance.toFixed(4))).toEqual(['0.0400', '0.0300', '0.0400']);
    expect(adjustByBenjaminiHochberg([])).toEqual([]);
  });
});

describe('many cases', () => {
  test('are adjusted for those with trials on both sides', () => {
    const { correction, cases } = compareMany([
      same,
      change([20, 20], [10, 20]),
      change([0, 0], [5, 5]),
    ]);
    expect(correction).toEqual({ cases: 2, level: 0.05, gate: 'holm', list: 'benjaminiHochberg' });
    expect(cases[0]).toEqual({ p: 1, holm: 1, bh: 1, significance: 'within_noise' });
    const p = fisherExact(counts(20, 20), counts(10, 20)) ?? 0;
    expect(cases[1]).toEqual({ p, holm: 2 * p, bh: 2 * p, significance: 'outside_noise' });
    expect(cases[2]).toEqual({ p: null, holm: null, bh: null, significance: 'too_few' });
  });

  test('need more of a single case: what is outside the noise alone is within it among 40', () => {
    const drop = change([20, 20], [14, 20]);
    expect(compareMany([drop]).cases[0]?.significance).toBe('outside_noise');
    const among = compareMany([drop, ...Array.from({ length: 39 }, () => same)]);
    expect(among.cases[0]?.significance).toBe('within_noise');
  });

  test('exactly at the level is outside the noise', () => {
    const found = compareMany([change([1, 1], [0, 19])]).cases[0];
    expect(found).toMatchObject({ p: expect.closeTo(0.05, 12), significance: 'outside_noise' });
  });

  test('have too few trials where no outcome could be outside the noise', () => {
    const drop = change([4, 4], [0, 4]);
    expect(compareMany([drop]).cases[0]?.significance).toBe('outside_noise');
    const two = compareMany([change([3, 4], [4, 4]), same]);
    expect(two.cases[0]?.significance).toBe('too_few');
    // With Holm's method, the second smallest p-value is adjusted for one case fewer.
    const both = compareMany([change([20, 20], [0, 20]), drop]);
    expect(both.cases[1]?.significance).toBe('outside_noise');
  });

  test('regressed histories are those that fell', () => {
    const fell = change([20, 20], [5, 20]);
    const rose = change([5, 20], [20, 20]);
    expect(regressedHistories([fell, rose, same])).toEqual([true, false, false]);
    expect(regressedHistories([])).toEqual([]);
  });
});
