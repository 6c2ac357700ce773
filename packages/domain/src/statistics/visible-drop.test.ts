import { describe, expect, test } from 'vitest';
import { forecastCase } from './forecast-case.ts';
import { planTerms } from './stated-trial-plan.ts';
import {
  passChance,
  seesDrop,
  seesPairedDrop,
  smallestPairedDrop,
  smallestVisibleDrop,
} from './visible-drop.ts';

describe('a gate at a threshold', () => {
  test('passes by the quotient that the policy compares', () => {
    // 0.29 × 100 is 28.999999999999996 in floating point, but 29 / 100 is at least 0.29.
    expect(passChance({ trials: 100, passThreshold: 0.29 }, 0.29)).toBeGreaterThan(0.5);
    expect(passChance({ trials: 1, passThreshold: 1 }, 0.7)).toBeCloseTo(0.7, 12);
    expect(passChance({ trials: 10, passThreshold: 0 }, 0.1)).toBe(1);
    for (let trials = 1; trials <= 60; trials += 1) {
      for (let passed = 1; passed <= trials; passed += 1) {
        const chance = passChance({ trials, passThreshold: passed / trials }, 1 - 1e-12);
        expect(chance).toBeGreaterThan(0.99);
        const none = passChance({ trials, passThreshold: passed / trials }, 1e-12);
        expect(none).toBeLessThan(0.01);
      }
    }
  });

  test('sees a drop that it misses in at most one of ten', () => {
    // At a rate of 0.6309, which is 0.1 ** (1 / 5), 5 of 5 trials pass with a chance of 0.1.
    const gate = { trials: 5, passThreshold: 1 };
    expect(smallestVisibleDrop(gate, 0.95)).toBe(0.32);
    expect(seesDrop(gate, 0.95, 0.32)).toBe(true);
    expect(seesDrop(gate, 0.95, 0.319)).toBe(false);
    expect(smallestVisibleDrop({ trials: 1, passThreshold: 0 }, 0.95)).toBeNull();
    expect(smallestVisibleDrop({ trials: 100, passThreshold: 1 }, 0.95)).toBe(0.001);
    expect(seesDrop({ trials: 1, passThreshold: 1 }, 0.5, 0.6)).toBe(true);
  });
});

describe('a gate against a baseline', () => {
  const pairs = Array.from({ length: 40 }, () => ({ base: { trials: 5 }, compare: { trials: 5 } }));

  test('sees a drop of the sum of two quantiles times its error', () => {
    // (2.0227 + 1.3036) × 0.05 is 0.1663, which is rounded up to 0.167.
    const gate = { clusters: 40, standardError: 0.05, pairs };
    expect(smallestPairedDrop(gate, 0.95)).toBe(0.167);
    expect(seesPairedDrop(gate, 0.95, 0.167)).toBe(true);
    expect(seesPairedDrop(gate, 0.95, 0.166)).toBe(false);
  });

  test('has at least the error of independent trials', () => {
    const drop = smallestPairedDrop({ clusters: 40, standardError: 0, pairs }, 0.95) ?? 0;
    const width = 2.0226909 + 1.3036387;
    const error = (less: number) => Math.sqrt((0.95 * 0.05 + (0.95 - less) * (0.05 + less)) / 200);
    expect(drop).toBeGreaterThanOrEqual(width * error(drop));
    expect(drop - 0.001).toBeLessThan(width * error(drop - 0.001));
  });

  test('sees nothing with fewer than 6 clusters or a spread that no drop exceeds', () => {
    expect(smallestPairedDrop({ clusters: 5, standardError: 0.01, pairs }, 0.95)).toBeNull();
    expect(seesPairedDrop({ clusters: 5, standardError: 0.01, pairs }, 0.95, 0.9)).toBe(false);
    expect(smallestPairedDrop({ clusters: 8, standardError: null, pairs }, 0.95)).toBeNull();
    expect(smallestPairedDrop({ clusters: 8, standardError: 0.9, pairs }, 0.95)).toBeNull();
  });
});

describe('a forecast', () => {
  test('has both plans and what is seen today', () => {
    const terms = planTerms({ healthyRate: 0.9, drop: 0.2 });
    expect(forecastCase(terms, { trials: 5, passThreshold: 0.8 })).toEqual({
      fixed: {
        trials: 33,
        passes: 27,
        falseFail: expect.closeTo(0.0417, 4),
        miss: expect.closeTo(0.0944, 4),
      },
      sequential: {
        cap: 40,
        look: 4,
        passThreshold: expect.closeTo(0.8138, 4),
        falseFail: expect.closeTo(0.0447, 4),
        miss: expect.closeTo(0.0838, 4),
        meanHealthy: expect.closeTo(20.62, 2),
        meanRegressed: expect.closeTo(20.4, 2),
        meanHalfway: expect.closeTo(26.7, 2),
      },
      today: { trials: 5, passThreshold: 0.8, smallestDrop: 0.484 },
    });
  });

  test('names the smallest drop where no plan is small enough', () => {
    const terms = planTerms({ healthyRate: 0.9, drop: 0.05 });
    const { fixed, sequential, smallestDrop } = forecastCase(terms, {
      trials: 5,
      passThreshold: 1,
    });
    expect(fixed?.trials).toBe(368);
    expect({ sequential, smallestDrop }).toEqual({ sequential: null, smallestDrop: 0.084 });
    const tiny = planTerms({ healthyRate: 0.5, drop: 0.0001 });
    expect(forecastCase(tiny, { trials: 5, passThreshold: 1 }).fixed).toBeNull();
  });
});
