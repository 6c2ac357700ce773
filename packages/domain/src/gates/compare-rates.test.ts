import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRates } from './compare-rates.ts';
import { newcombeInterval, rateDifference } from './newcombe-interval.ts';

const count = (passed: number, trials: number) => ({ passed, trials });
const anyCount = fc
  .tuple(fc.nat(60), fc.nat(60))
  .map(([one, other]) => count(Math.min(one, other), Math.max(one, other)));

describe('the interval of a difference', () => {
  test.each([
    [10, 10, 5, 10, -0.5, -0.763407, -0.117367],
    [50, 50, 45, 50, -0.1, -0.213602, -0.008975],
    [9, 10, 8, 10, -0.1, -0.420536, 0.236225],
  ])('%i/%i to %i/%i is %d [%d, %d]', (c1, n1, c2, n2, delta, lower, upper) => {
    const difference = newcombeInterval(count(c1, n1), count(c2, n2));
    expect(difference?.delta).toBe(delta);
    expect(difference?.lower).toBeCloseTo(lower, 6);
    expect(difference?.upper).toBeCloseTo(upper, 6);
  });

  test('holds the difference, stays within −1 and 1, and turns its sign with the sides', () => {
    fc.assert(
      fc.property(anyCount, anyCount, (base, compared) => {
        const there = newcombeInterval(base, compared);
        const back = newcombeInterval(compared, base);
        if (there === null || back === null) {
          expect(Math.min(base.trials, compared.trials)).toBe(0);
          return;
        }
        expect(there.lower).toBeLessThanOrEqual(there.delta);
        expect(there.delta).toBeLessThanOrEqual(there.upper);
        expect(Math.max(Math.abs(there.lower), Math.abs(there.upper))).toBeLessThanOrEqual(
          1 + 1e-12,
        );
        expect(there.delta + back.delta).toBe(0);
        expect(there.lower).toBeCloseTo(-back.upper, 12);
      }),
    );
  });

  test('is one quotient of whole numbers', () => {
    expect(rateDifference(count(8, 10), count(7, 10))).toBe(-0.1);
    expect(Object.is(rateDifference(count(0, 5), count(0, 5)), 0)).toBe(true);
  });

  test('is refused for counts that cannot be', () => {
    const good = count(5, 10);
    for (const bad of [count(6, 5), count(-1, 5), count(1.5, 5), count(Number.NaN, 5)]) {
      expect(newcombeInterval(bad, good)).toBeNull();
      expect(compareRates(good, bad)).toEqual({ outcome: 'insufficient' });
    }
  });
});

describe('two rates', () => {
  test.each([
    [10, 10, 5, 10, 'regression'],
    [50, 50, 45, 50, 'regression'],
    [9, 10, 8, 10, 'noRegression'],
    [5, 10, 10, 10, 'noRegression'],
    [5, 5, 0, 5, 'regression'],
    [4, 4, 0, 100, 'insufficient'],
    [100, 100, 0, 4, 'insufficient'],
    [0, 0, 0, 10, 'insufficient'],
    // The drop is statistically certain, but smaller than `minEffect`.
    [1_000_000, 1_000_000, 991_000, 1_000_000, 'noRegression'],
    [1_000_000, 1_000_000, 990_000, 1_000_000, 'regression'],
  ])('%i/%i to %i/%i: %s', (c1, n1, c2, n2, outcome) => {
    expect(compareRates(count(c1, n1), count(c2, n2)).outcome).toBe(outcome);
  });

  test('a rate that did not fall is never a regression', () => {
    fc.assert(
      fc.property(anyCount, anyCount, (base, compared) => {
        fc.pre(base.trials > 0 && compared.trials > 0);
        fc.pre(compared.passed / compared.trials >= base.passed / base.trials);
        expect(compareRates(base, compared).outcome).not.toBe('regression');
      }),
    );
  });
});
