import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trial } from './classify-trial.ts';
import { decideRun } from './decide-run.ts';
import { Decision } from './decision.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { resolvePolicy } from './resolve-policy.ts';
import { TrialStatistics, trialStatistics } from './trial-statistics.ts';
import { wilsonInterval } from './wilson-interval.ts';

describe('the Wilson interval', () => {
  it.each([
    [3, 5, 0.230724, 0.882379],
    [4, 5, 0.375535, 0.963776],
    [5, 5, 0.565518, 1],
    [8, 10, 0.490162, 0.943318],
    [10, 10, 0.722467, 1],
    [0, 20, 0, 0.161125],
  ])('of %i of %i is [%d, %d]', (successes, trials, lower, upper) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval?.lower).toBeCloseTo(lower, 6);
    expect(interval?.upper).toBeCloseTo(upper, 6);
  });

  it('is pinned to exactly 0 and 1 at the edges, holds the proportion, and is none without a trial', () => {
    expect(wilsonInterval(0, 0)).toBeNull();
    fc.assert(
      fc.property(counted, ([trials, passed]) => {
        const { lower, upper } = wilsonInterval(passed, trials) as never;
        expect(0 <= lower && lower <= passed / trials && passed / trials <= upper).toBe(true);
        expect(upper <= 1).toBe(true);
        expect(lower === 0).toBe(passed === 0);
        expect(upper === 1).toBe(passed === trials);
      }),
    );
  });
});

describe('pass@k and pass^k', () => {
  it.each([
    [5, 3, 2, 0.9, 0.3],
    [4, 3, 3, 1, 0.25],
    [10, 8, 3, 1, 0.466667],
    [3, 0, 3, 0, 0],
    [3, 3, 3, 1, 1],
  ])('at n = %i, c = %i, k = %i are %d and %d', (trials, passed, k, at, hat) => {
    expect(passAtK(trials, passed, k)).toBeCloseTo(at, 6);
    expect(passHatK(trials, passed, k)).toBeCloseTo(hat, 6);
  });

  it.each([0, -1, 6, 1.5, Number.NaN])('are null at k = %d of 5', (k) => {
    expect([passAtK(5, 3, k), passHatK(5, 3, k)]).toEqual([null, null]);
  });

  it('agree with the binomial coefficients', () => {
    fc.assert(
      fc.property(counted, fc.nat(), ([trials, passed], seed) => {
        const k = 1 + (seed % trials);
        const all = choose(trials, k);
        expect(passAtK(trials, passed, k)).toBeCloseTo(
          1 - ratio(choose(trials - passed, k), all),
          9,
        );
        expect(passHatK(trials, passed, k)).toBeCloseTo(ratio(choose(passed, k), all), 9);
      }),
    );
  });
});

describe('the statistics of a decision', () => {
  it('are its own counts at k = n, pooled over its rows, and null for a row without a trial', () => {
    const statistics = trialStatistics(
      decide([[...times(3, pass), ...times(2, fail)], [{ status: 'timed_out' }]]),
    );
    expect(statistics).toEqual({
      unit: 'caseVariant',
      eligibleTrials: 5,
      passedTrials: 3,
      cases: [
        {
          caseId: 'c0',
          executionVariant: { model: 'm' },
          eligibleTrials: 5,
          passedTrials: 3,
          k: 5,
          passAtK: 1,
          passHatK: 0,
          passRateInterval: {
            confidence: 0.95,
            lower: expect.closeTo(0.230724, 6),
            upper: expect.closeTo(0.882379, 6),
          },
        },
        {
          caseId: 'c1',
          executionVariant: { model: 'm' },
          eligibleTrials: 0,
          passedTrials: 0,
          k: 0,
          passAtK: null,
          passHatK: null,
          passRateInterval: null,
        },
      ],
    });
  });

  it('always have their closed shape and never enter the decision', () => {
    const trial = fc.constantFrom<Trial>(pass, fail, { status: 'failed' });
    const rows = fc.array(fc.array(trial, { minLength: 1, maxLength: 20 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(rows, (cases) => {
        const decision = decide(cases);
        const statistics = trialStatistics(decision);
        expect(TrialStatistics.parse(statistics)).toEqual(statistics);
        const inside = { ...decision, trialStatistics: statistics };
        expect(Decision.safeParse(inside).success).toBe(false);
      }),
    );
  });
});

const pass: Trial = { status: 'completed', taskVerdict: 'passed' };
const fail: Trial = { status: 'completed', taskVerdict: 'failed' };

const counted = fc
  .integer({ min: 1, max: 100 })
  .chain((trials) => fc.tuple(fc.constant(trials), fc.integer({ min: 0, max: trials })));

function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

function decide(cases: Trial[][]): Decision {
  const decided = decideRun({
    policy: resolvePolicy(),
    cases: cases.map((trials, index) => ({
      caseId: `c${index}`,
      executionVariant: { model: 'm' },
      effectivePassThreshold: 1,
      trials,
      configuredTrials: trials.length,
    })),
  });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}

function choose(from: number, k: number): bigint {
  if (k > from) return 0n;
  let count = 1n;
  for (let index = 1; index <= k; index += 1) {
    count = (count * BigInt(from - k + index)) / BigInt(index);
  }
  return count;
}

function ratio(part: bigint, whole: bigint): number {
  return Number((part * 10n ** 15n) / whole) / 1e15;
}
