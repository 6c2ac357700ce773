import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boundOfEvidenceAbove,
  boundOfEvidenceBelow,
  logEvidenceAbove,
  logEvidenceBelow,
} from './any-time-evidence.ts';
import { anyTimeInterval } from './any-time-interval.ts';
import { caseStability, historyStatements, steadyTrials } from './history-statements.ts';
import { resultTurns } from './result-turns.ts';

const results = (...parts: [passed: boolean, times: number][]) =>
  parts.flatMap(([passed, times]) => Array.from({ length: times }, () => passed));
const statementsOf = (all: readonly boolean[], threshold: number) =>
  historyStatements(resultTurns(all), threshold);

/**
 * Computes all sequences of up to 100 trials at the true rate and checks the evidence after each
 * trial.
 */
function everFound(stated: number, trueRate: number) {
  let going = new Map([[0, 1]]);
  let found = 0;
  let mean = 0;
  for (let trials = 1; trials <= 100; trials += 1) {
    const next = new Map<number, number>();
    const add = (passed: number, chance: number) =>
      next.set(passed, (next.get(passed) ?? 0) + chance);
    for (const [passed, chance] of going) {
      add(passed, chance * (1 - trueRate));
      add(passed + 1, chance * trueRate);
    }
    for (const [passed, chance] of next) {
      if (logEvidenceBelow({ passed, trials }, stated) < Math.log(20)) continue;
      found += chance;
      mean += chance * trials;
      next.delete(passed);
    }
    going = next;
  }
  const open = [...going.values()].reduce((sum, chance) => sum + chance, 0);
  return { found: found.toFixed(4), mean: (mean + open * 100).toFixed(2) };
}

describe('the evidence against "at least", looked at after each of 100 trials', () => {
  test.each([
    [0.9, 0.9, '0.0259', undefined],
    [0.8, 0.8, '0.0263', undefined],
    [0.9, 0.7, '0.9900', '26.76'],
    [0.9, 0.5, '1.0000', '7.66'],
    [0.8, 0.6, '0.9501', '37.32'],
  ])(
    'a rate of at least %d is rejected at a true rate of %d in %s',
    (stated, rate, found, mean) => {
      const ever = everFound(stated, rate);
      expect(ever.found).toBe(found);
      if (mean !== undefined) expect(ever.mean).toBe(mean);
    },
  );
});

describe('evidence at the ends', () => {
  test('a rate of 1 is disproved by one failure and of 0 by one passed trial', () => {
    expect(logEvidenceBelow({ passed: 9, trials: 10 }, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(logEvidenceBelow({ passed: 10, trials: 10 }, 1)).toBeCloseTo(-Math.log(11), 12);
    expect(logEvidenceAbove({ passed: 1, trials: 10 }, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(logEvidenceAbove({ passed: 0, trials: 10 }, 0)).toBeCloseTo(-Math.log(11), 12);
  });

  test('no result speaks against "at least 0" or "at most 1"', () => {
    expect(logEvidenceBelow({ passed: 0, trials: 50 }, 0)).toBe(0);
    expect(logEvidenceAbove({ passed: 50, trials: 50 }, 1)).toBe(0);
  });

  test('the two directions mirror each other', () => {
    const below = logEvidenceBelow({ passed: 12, trials: 40 }, 0.75);
    expect(logEvidenceAbove({ passed: 28, trials: 40 }, 0.25)).toBeCloseTo(below, 12);
  });

  test('evidence too large for a number is still compared', () => {
    expect(logEvidenceBelow({ passed: 1000, trials: 4000 }, 0.98)).toBeGreaterThan(1000);
  });
});

test('the bounds of the evidence are never below it', () => {
  const counts = fc
    .tuple(fc.nat(300), fc.nat(300))
    .filter(([passed, failed]) => passed + failed > 0)
    .map(([passed, failed]) => ({ passed, trials: passed + failed }));
  fc.assert(
    fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), (count, rate) => {
      const below = boundOfEvidenceBelow(rate)(count.passed, count.trials);
      const above = boundOfEvidenceAbove(rate)(count.passed, count.trials);
      return logEvidenceBelow(count, rate) <= below && logEvidenceAbove(count, rate) <= above;
    }),
  );
});

describe('the any-time interval', () => {
  test('ends where the evidence reaches 40', () => {
    const interval = anyTimeInterval(results([true, 15], [false, 5]));
    const { lower = Number.NaN, upper = Number.NaN } = interval ?? {};
    // The first 15 trials passed, so the lower end is at least that after trial 15.
    expect(logEvidenceAbove({ passed: 15, trials: 15 }, lower)).toBeCloseTo(Math.log(40), 6);
    expect(logEvidenceBelow({ passed: 15, trials: 20 }, upper)).toBeCloseTo(Math.log(40), 6);
  });

  test('never grows: what was rejected stays rejected', () => {
    const all = Array.from({ length: 120 }, (_, trial) => (trial * 7) % 10 < 7);
    let before = { lower: 0, upper: 1 };
    for (let trials = 1; trials <= all.length; trials += 1) {
      const interval = anyTimeInterval(all.slice(0, trials));
      if (interval === null) throw new Error('All rates were rejected.');
      expect(interval.lower).toBeGreaterThanOrEqual(before.lower - 1e-11);
      expect(interval.upper).toBeLessThanOrEqual(before.upper + 1e-11);
      before = interval;
    }
    expect(before.lower).toBeLessThan(0.7);
    expect(before.upper).toBeGreaterThan(0.7);
    expect(before.upper - before.lower).toBeLessThan(0.35);
  });

  test('rejects exactly what the evidence of some trial rejects', () => {
    const all = Array.from({ length: 60 }, (_, trial) => trial % 3 !== 0 && trial !== 31);
    const { lower, upper } = anyTimeInterval(all) ?? { lower: 1, upper: 0 };
    for (let rate = 0.005; rate < 1; rate += 0.005) {
      let passed = 0;
      const isRejected = all.some((result, before) => {
        if (result) passed += 1;
        const counts = { passed, trials: before + 1 };
        const largest = Math.max(logEvidenceBelow(counts, rate), logEvidenceAbove(counts, rate));
        return largest >= Math.log(40);
      });
      expect(isRejected).toBe(rate < lower || rate > upper);
    }
  });

  test('is everything after one trial, and nothing without one', () => {
    expect(anyTimeInterval([true])).toEqual({ lower: expect.closeTo(1 / 79, 9), upper: 1 });
    expect(anyTimeInterval([])).toBeNull();
  });

  test('is absent after the rate changed so far that no single rate is left', () => {
    expect(anyTimeInterval(results([true, 100], [false, 100]))).toBeNull();
  });
});

describe('what a history says', () => {
  test('below, since the first trial that showed it', () => {
    const { threshold } = statementsOf(results([true, 2], [false, 6], [true, 40]), 0.9);
    expect(threshold).toMatchObject({ rate: 0.9, side: 'below', since: 5 });
    expect(threshold.e).toBeGreaterThanOrEqual(20);
  });

  test('above, symmetrically', () => {
    const { threshold } = statementsOf(results([true, 40]), 0.8);
    expect(threshold).toMatchObject({ side: 'above', since: 20 });
  });

  test('open, with the larger e-value', () => {
    const { threshold } = statementsOf(results([true, 9], [false, 1]), 0.9);
    expect(threshold).toMatchObject({ side: 'open', since: null });
    expect(threshold.e).toBeGreaterThan(0);
    expect(threshold.e).toBeLessThan(20);
  });

  test('the later side where both were reached', () => {
    const fell = statementsOf(results([true, 60], [false, 60]), 0.8).threshold;
    expect(fell).toMatchObject({ side: 'below' });
    const rose = statementsOf(results([false, 10], [true, 300]), 0.8).threshold;
    expect(rose).toMatchObject({ side: 'above' });
  });

  test('a finite e-value for a rate of 1', () => {
    const { threshold } = statementsOf(results([true, 3], [false, 1]), 1);
    expect(threshold).toEqual({ rate: 1, side: 'below', since: 4, e: Number.MAX_VALUE });
  });

  test('nothing without a trial', () => {
    expect(statementsOf([], 0.9)).toEqual({
      trials: 0,
      passed: 0,
      interval: null,
      threshold: { rate: 0.9, side: 'open', since: null, e: 1 },
      isFlaky: false,
      steady: false,
    });
  });

  test.each([
    ['half of the trials fail', results([true, 5], [false, 5]), true],
    ['all passed', results([true, 100]), false],
    ['all failed', results([false, 100]), false],
    ['one of a hundred failed', results([true, 99], [false, 1]), false],
    ['too few trials', results([true, 1], [false, 1]), false],
    ['it failed early and passed ever since', results([true, 3], [false, 3], [true, 500]), true],
  ])('flaky: %s', (_name, all, isFlaky) => {
    expect(statementsOf(all, 0.9).isFlaky).toBe(isFlaky);
  });

  test('steady after 59 passed trials', () => {
    expect(0.95 ** steadyTrials).toBeLessThan(0.05);
    expect(0.95 ** (steadyTrials - 1)).toBeGreaterThan(0.05);
    expect(statementsOf(results([false, 1], [true, 59]), 0.9).steady).toBe(true);
    expect(statementsOf(results([false, 1], [true, 58]), 0.9).steady).toBe(false);
    expect(statementsOf(results([true, 58]), 0.9).steady).toBe(false);
    expect(statementsOf(results([true, 59], [false, 1]), 0.9).steady).toBe(false);
  });

  test('regressed before flaky before undetermined', () => {
    expect(caseStability({ isFlaky: true, isRegressed: true })).toBe('regressed');
    expect(caseStability({ isFlaky: true, isRegressed: false })).toBe('flaky');
    expect(caseStability({ isFlaky: false, isRegressed: false })).toBe('undetermined');
  });
});
