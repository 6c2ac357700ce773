import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Trial } from '../verdict/classify-trial.ts';
import { decideRun, decideTallies } from '../verdict/decide-run.ts';
import { resolvePolicy } from '../verdict/resolve-policy.ts';
import { decideLook } from './decide-look.ts';
import { fixedPlan } from './fixed-plan.ts';
import { planMeans, planOutcome } from './plan-outcome.ts';
import { planTerms, type StatedTrialPlan } from './stated-trial-plan.ts';
import {
  falseFailOfRun,
  makeTrialPlan,
  mostPlannedTrials,
  planOf,
  type TrialPlan,
} from './trial-plan.ts';

function planned(stated: StatedTrialPlan, cases?: number): TrialPlan {
  const made = makeTrialPlan(stated, cases);
  if ('refusal' in made) throw new Error(made.refusal.message);
  return made.plan;
}

function refused(stated: unknown) {
  const made = makeTrialPlan(stated as StatedTrialPlan);
  return 'refusal' in made ? made.refusal : undefined;
}

describe('the exact figures of plans with a false fail of 0.05 and a miss of 0.10', () => {
  // Columns: healthy, drop, threshold, fixed trials; then for looks of 1 and 4 trials: cap, false
  // fail, miss, and the mean trials when healthy, regressed, halfway, and at a true rate of 0.3.
  test.each([
    [
      0.95,
      0.15,
      '0.8897',
      38,
      '50 .0427 .0978 22.74 20.09 28.14 4.29',
      '40 .0471 .0994 24.02 22.11 28.51 5.44',
    ],
    [
      0.9,
      0.2,
      '0.8138',
      33,
      '46 .0431 .0996 17.99 17.79 24.33 4.82',
      '40 .0447 .0838 20.62 20.40 26.70 5.65',
    ],
    [
      0.9,
      0.15,
      '0.8340',
      55,
      '75 .0460 .0985 28.88 28.47 39.13 5.80',
      '68 .0463 .0840 32.86 31.26 42.63 7.31',
    ],
    [
      0.8,
      0.2,
      '0.7067',
      47,
      '59 .0492 .0990 22.92 24.50 32.16 7.95',
      '52 .0485 .0958 24.97 27.23 34.28 10.37',
    ],
    [
      0.95,
      0.1,
      '0.9081',
      77,
      '106 .0454 .0994 40.77 38.26 53.75 4.39',
      '92 .0454 .0943 43.47 41.17 55.81 5.62',
    ],
    [
      0.9,
      0.1,
      '0.8548',
      109,
      '164 .0479 .0997 55.74 57.93 79.23 7.29',
      '140 .0468 .0975 58.68 61.56 81.32 8.93',
    ],
    [
      0.99,
      0.09,
      '0.9603',
      52,
      '71 .0309 .0999 29.74 22.00 32.84 2.86',
      '68 .0279 .0988 30.33 24.34 34.99 4.34',
    ],
  ])('%d with a drop of %d', (healthyRate, drop, threshold, fixed, eachTrial, everyFour) => {
    expect(fixedPlan(planTerms({ healthyRate, drop }))?.trials).toBe(fixed);
    for (const [look, figures] of [
      [1, eachTrial],
      [4, everyFour],
    ] as const) {
      const plan = planned({ healthyRate, drop, look });
      const { meanHealthy, meanRegressed, meanHalfway } = planMeans(plan);
      const rates = [plan.exactFalseFail, plan.exactMiss].map((rate) => rate.toFixed(4).slice(1));
      const means = [meanHealthy, meanRegressed, meanHalfway, planOutcome(plan, 0.3).meanTrials];
      const found = [plan.cap, ...rates, ...means.map((mean) => mean.toFixed(2))];
      expect(found.join(' ')).toBe(figures);
      expect(plan.passThreshold.toFixed(4)).toBe(threshold);
    }
  });

  test('an outcome at the two rates is what the plan states', () => {
    const plan = planned({ healthyRate: 0.9, drop: 0.2 });
    const healthy = planOutcome(plan, 0.9);
    expect(healthy.fails).toBeCloseTo(plan.exactFalseFail, 12);
    expect(healthy.passes + healthy.fails).toBeCloseTo(1, 12);
    expect(planOutcome(plan, plan.regressedRate).passes).toBeCloseTo(plan.exactMiss, 12);
    expect(plan.lower).toBeCloseTo(Math.log(0.1 / 0.95), 12);
    expect(plan.upper).toBeCloseTo(Math.log(0.9 / 0.05), 12);
  });
});

describe('the bounds of a stated plan', () => {
  test.each([
    [{ healthyRate: 0, drop: 0.1 }, ['healthyRate']],
    [{ healthyRate: 1, drop: 0.1 }, ['healthyRate']],
    [{ healthyRate: 0.9, drop: 0 }, ['drop']],
    [{ healthyRate: 0.9, drop: 0.9 }, ['drop']],
    [{ healthyRate: 0.9, drop: 0.2, falseFail: 0.0009 }, ['falseFail']],
    [{ healthyRate: 0.9, drop: 0.2, falseFail: 0.201 }, ['falseFail']],
    [{ healthyRate: 0.9, drop: 0.2, miss: 0.0009 }, ['miss']],
    [{ healthyRate: 0.9, drop: 0.2, miss: 0.201 }, ['miss']],
    [{ healthyRate: 0.9, drop: 0.2, look: 0 }, ['look']],
    [{ healthyRate: 0.9, drop: 0.2, look: 21 }, ['look']],
    [{ healthyRate: 0.9, drop: 0.2, look: 2.5 }, ['look']],
    [{ healthyRate: 0.9, drop: 0.2, scope: 'suite' }, ['scope']],
    [{ healthyRate: 0.9, drop: 0.2, trials: 5 }, ['trials']],
    [{ healthyRate: 0.9 }, ['drop']],
  ])('%j is refused with its place', (stated, path) => {
    expect(refused(stated)?.path).toEqual(path);
    expect(refused(stated)).not.toHaveProperty('smallestDrop');
  });

  test.each([
    { healthyRate: 0.9, drop: 0.4, falseFail: 0.001, miss: 0.001 },
    { healthyRate: 0.9, drop: 0.2, falseFail: 0.2, miss: 0.2 },
    { healthyRate: 0.9, drop: 0.2, look: 1 },
    { healthyRate: 0.9, drop: 0.2, look: 20 },
  ])('%j is accepted', (stated) => {
    expect(planned(stated)).toMatchObject(stated);
  });
});

describe('a plan that needs more than 200 trials', () => {
  test.each([
    [{ healthyRate: 0.9, drop: 0.05 }, 0.084],
    [{ healthyRate: 0.5, drop: 0.001 }, 0.127],
    [{ healthyRate: 0.99, drop: 0.01, look: 1, falseFail: 0.001, miss: 0.001 }, 0.109],
    [{ healthyRate: 0.9, drop: 1e-17 }, 0.084],
  ])('%j is refused with the smallest drop that 200 can show', (stated, smallestDrop) => {
    expect(refused(stated)).toEqual({
      path: ['drop'],
      message: `The plan needs more than 200 trials for a drop of ${stated.drop}. State a drop of at least ${smallestDrop}, or larger error rates.`,
      smallestDrop,
    });
    const terms = planTerms(stated);
    expect(planOf({ ...terms, drop: smallestDrop })?.cap).toBeLessThanOrEqual(mostPlannedTrials);
    for (let drop = 1; drop < smallestDrop * 1000 - 0.5; drop += 1) {
      expect(planOf({ ...terms, drop: drop / 1000 })).toBeUndefined();
    }
  });

  test('is refused without a drop where none is large enough', () => {
    expect(refused({ healthyRate: 0.02, drop: 0.01 })).toEqual({
      path: ['drop'],
      message:
        'The plan needs more than 200 trials for a drop of 0.01. No drop from 0.02 is large enough; state larger error rates.',
      smallestDrop: null,
    });
  });
});

describe('the error rates of a run', () => {
  test('add up over its planned cases', () => {
    expect(falseFailOfRun([0.05])).toBeCloseTo(0.05, 15);
    expect(falseFailOfRun(Array.from({ length: 40 }, () => 0.05))).toBeCloseTo(1 - 0.95 ** 40, 12);
    expect(falseFailOfRun([])).toBe(0);
  });

  test('are shared by the cases if the plan states them for the run', () => {
    const plan = planned({ healthyRate: 0.9, drop: 0.3, scope: 'run' }, 100);
    expect(plan.falseFail).toBe(0.0005);
    expect(plan.exactFalseFail).toBeLessThanOrEqual(0.0005);
    expect(planned({ healthyRate: 0.9, drop: 0.3 }, 100).falseFail).toBe(0.05);
  });
});

describe('the decision after a look', () => {
  const plan = planned({ healthyRate: 0.9, drop: 0.2 });

  test.each([
    [{ passed: 4, trials: 4 }, null],
    [{ passed: 2, trials: 4 }, null],
    [{ passed: 1, trials: 4 }, 'failedEarly'],
    [{ passed: 0, trials: 4 }, 'failedEarly'],
    [{ passed: 12, trials: 12 }, 'passedEarly'],
    [{ passed: 30, trials: 36 }, null],
    [{ passed: 33, trials: 40 }, 'atCap'],
    [{ passed: 40, trials: 40 }, 'atCap'],
  ])('%j: %s', (graded, stop) => {
    expect(decideLook(plan, graded).stop).toBe(stop);
  });

  test('has the logarithm of the ratio', () => {
    const { l } = decideLook(plan, { passed: 3, trials: 4 });
    expect(l).toBeCloseTo(3 * Math.log(0.7 / 0.9) + Math.log(0.3 / 0.1), 12);
  });

  test('stops at a count exactly on a line', () => {
    // 2 of 7 passed trials are 18 times likelier at 0.6 than at 0.8, and 18 = (1 − 0.1) / 0.05:
    // exactly on the bound.
    const onLine = planned({ healthyRate: 0.8, drop: 0.2, look: 7 });
    expect(decideLook(onLine, { passed: 2, trials: 7 }).stop).toBe('failedEarly');
  });
});

const statedPlans = fc
  .record({
    healthyRate: fc.double({ min: 0.01, max: 0.999, noNaN: true }),
    dropShare: fc.double({ min: 0.1, max: 0.999, noNaN: true }),
    falseFail: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
    miss: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
    look: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ dropShare, ...stated }) => ({ ...stated, drop: stated.healthyRate * dropShare }));
/** Rates whose thresholds equal simple fractions, at which rounding could change a decision. */
const evenPlans = fc
  .record({ tenths: fc.integer({ min: 6, max: 19 }), look: fc.integer({ min: 1, max: 20 }) })
  .map(({ tenths, look }) => ({ healthyRate: tenths / 20, drop: tenths / 10 - 1, look }))
  .filter(({ drop }) => drop > 0);

function playedOut(plan: TrialPlan, results: (trial: number) => boolean) {
  let passed = 0;
  for (let trials = 1; ; trials += 1) {
    if (results(trials)) passed += 1;
    if (trials % plan.look !== 0) continue;
    const { stop } = decideLook(plan, { passed, trials });
    if (stop !== null) return { passed, trials, stop };
  }
}

function tallyOf(plan: TrialPlan, { passed, trials }: { passed: number; trials: number }) {
  return {
    caseId: 'case',
    configuredTrials: trials,
    effectivePassThreshold: plan.passThreshold,
    passedTrials: passed,
    failedTrials: trials - passed,
    runningTrials: 0,
    exclusions: {},
  };
}

function policyVerdict(plan: TrialPlan, counts: { passed: number; trials: number }) {
  const decided = decideTallies(resolvePolicy(), [tallyOf(plan, counts)]);
  return 'decision' in decided ? decided.decision.verdict : decided.integrityError;
}

describe('the plan and verdict policy v2', () => {
  test('agree on every plan and every sequence of results', () => {
    const plans = fc.oneof(statedPlans, evenPlans);
    const rates = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(plans, rates, fc.infiniteStream(rates), (stated, rate, chances) => {
        const plan = planOf(planTerms(stated));
        fc.pre(plan !== undefined);
        if (plan === undefined) return;
        const end = playedOut(plan, () => (chances.next().value ?? 0) < rate);
        const verdict = policyVerdict(plan, end);
        if (end.stop === 'passedEarly') expect(verdict).toBe('passed');
        if (end.stop === 'failedEarly') expect(verdict).toBe('failed');
        if (end.stop === 'atCap') {
          expect(end.trials).toBe(plan.cap);
          expect(verdict).toBe(end.passed / plan.cap >= plan.passThreshold ? 'passed' : 'failed');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('agree on every count at which a plan can stop', () => {
    for (const healthyRate of [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99]) {
      // A symmetric plan has a threshold of one half, which an even cap meets exactly.
      for (const drop of [0.2, 2 * healthyRate - 1]) {
        const plan = planOf(planTerms({ healthyRate, drop, look: 2 }));
        if (plan === undefined) continue;
        expectSameDecisions(plan);
      }
    }
  });

  test('agree where a pass rate at the cap is the threshold but for rounding', () => {
    const plan = planned({ healthyRate: 0.7, drop: 0.4, look: 2 });
    expect(plan.passThreshold).toBe(0.5);
    expect(policyVerdict(plan, { passed: plan.cap / 2, trials: plan.cap })).toBe('passed');
  });

  test('agree when the policy counts the trials itself', () => {
    const plan = planned({ healthyRate: 0.9, drop: 0.2 });
    const end = playedOut(plan, (trial) => trial % 7 !== 0);
    const trials = Array.from({ length: end.trials }, (_, before): Trial => {
      return { status: 'completed', taskVerdict: (before + 1) % 7 === 0 ? 'failed' : 'passed' };
    });
    const decided = decideRun({
      policy: resolvePolicy(),
      cases: [
        {
          caseId: 'case',
          configuredTrials: end.trials,
          effectivePassThreshold: plan.passThreshold,
          trials,
        },
      ],
    });
    const verdict = end.passed / end.trials >= plan.passThreshold ? 'passed' : 'failed';
    expect(decided).toMatchObject({ decision: { verdict } });
  });
});

function expectSameDecisions(plan: TrialPlan) {
  for (let trials = plan.look; trials <= plan.cap; trials += plan.look) {
    for (let passed = 0; passed <= trials; passed += 1) {
      const { stop } = decideLook(plan, { passed, trials });
      const verdict = policyVerdict(plan, { passed, trials });
      if (stop === 'passedEarly') expect(verdict).toBe('passed');
      if (stop === 'failedEarly') expect(verdict).toBe('failed');
      const isPass = passed >= plan.cap * plan.balance - 1e-9;
      if (stop === 'atCap') expect(verdict).toBe(isPass ? 'passed' : 'failed');
    }
  }
}
