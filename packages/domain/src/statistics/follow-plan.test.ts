import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideLaunchedRun, type LaunchedTrials } from '../verdict/decide-launched-run.ts';
import { resolvePolicy } from '../verdict/resolve-policy.ts';
import { followPlan, mostBegun, type PlannedResult, type VariantPlan } from './follow-plan.ts';
import { makeTrialPlan } from './trial-plan.ts';

const plans = (
  [
    [0.95, 0.15],
    [0.9, 0.2],
    [0.9, 0.15],
    [0.8, 0.2],
    [0.5, 0.3],
    [0.99, 0.09],
  ] as const
).flatMap(([healthyRate, drop]) =>
  [1, 4, 7].flatMap((look) => {
    const made = makeTrialPlan({ healthyRate, drop, look });
    return 'plan' in made ? [made.plan] : [];
  }),
);
const anyPlan = fc.constantFrom(...plans);

/** Plays a plan to its end. `next` returns the result of each trial. */
function play(plan: VariantPlan, next: () => Exclude<PlannedResult, 'open'>) {
  const results: PlannedResult[] = [];
  for (;;) {
    const followed = followPlan(plan, results);
    if (followed.next.kind !== 'begin') return { results, ...followed };
    for (let trial = 0; trial < followed.next.trials; trial += 1) results.push(next());
  }
}

const anyResults = fc.array(fc.constantFrom('passed', 'failed', 'ungraded'), {
  minLength: 1,
  maxLength: 60,
});

function cycle<Value>(values: readonly Value[]): () => Value {
  let at = 0;
  return () => values[at++ % values.length] as Value;
}

test('a plan ends, and begins no more trials than it may', () => {
  fc.assert(
    fc.property(anyPlan, anyResults, (plan, results) => {
      const played = play(plan, cycle(results));
      expect(played.next.kind).toBe('stop');
      expect(played.results.length).toBeLessThanOrEqual(mostBegun(plan));
      expect(played.trials).toBeLessThanOrEqual(plan.cap);
      expect(played.trials).toBe(played.results.filter((one) => one !== 'ungraded').length);
      expect(played.walk.map(({ trials }) => trials)).toEqual(
        played.walk.map((_, index) => (index + 1) * plan.look),
      );
    }),
  );
});

test('the plan and the policy with its passing score never differ', () => {
  fc.assert(
    fc.property(anyPlan, anyResults, (plan, results) => {
      const played = play(plan, cycle(results));
      if (played.next.kind !== 'stop' || played.next.stop === 'notDecided') return;
      const verdict = verdictByPolicy(plan, played.results);
      const { stop } = played.next;
      if (stop === 'passedEarly') expect(verdict).toBe('casePassRateMetThreshold');
      if (stop === 'failedEarly') expect(verdict).toBe('casePassRateBelowThreshold');
      if (stop === 'atCap') {
        const isMet = played.passed / played.trials >= plan.passThreshold;
        expect(verdict).toBe(isMet ? 'casePassRateMetThreshold' : 'casePassRateBelowThreshold');
        expect(played.trials).toBe(plan.cap);
      }
    }),
    { numRuns: 500 },
  );
});

function verdictByPolicy(plan: VariantPlan, results: readonly PlannedResult[]) {
  const planned = {
    caseId: 'one',
    caseKey: 'declared:one',
    declaredId: 'one',
    title: 'One',
    passThreshold: plan.passThreshold,
    variants: [{ repetitions: plan.cap, trialPlan: plan }],
  };
  const trials = results.map(
    (result): LaunchedTrials => ({
      caseId: 'one',
      model: null,
      provider: null,
      status: result === 'ungraded' ? 'failed' : 'completed',
      result: result === 'passed' || result === 'failed' ? result : null,
      evaluatorError: false,
      count: 1,
    }),
  );
  const end = decideLaunchedRun(
    {
      terms: { policy: resolvePolicy(), passThreshold: 1 },
      plan: { cases: [planned as never] },
      wasCompleted: true,
    },
    trials,
    (text) => text,
  );
  expect(end.integrityError).toBeUndefined();
  expect(end.decision?.cases[0]?.effectivePassThreshold).toBe(plan.passThreshold);
  expect(end.decision?.cases[0]?.configuredTrials).toBe(results.length);
  return end.decision?.cases[0]?.reason;
}

describe('a look', () => {
  const made = makeTrialPlan({ healthyRate: 0.95, drop: 0.15 });
  if ('refusal' in made) throw new Error('This plan exists.');
  const { plan } = made;
  const p = 'passed' as const;
  const f = 'failed' as const;
  const u = 'ungraded' as const;
  const o = 'open' as const;

  test.each<[string, PlannedResult[], unknown]>([
    ['begins with its trials', [], { kind: 'begin', trials: 4 }],
    ['waits for the last of them', [p, p, o, p], { kind: 'wait' }],
    ['is followed by the next', [p, p, p, p], { kind: 'begin', trials: 4 }],
    ['replaces what was not graded', [p, u, p, u], { kind: 'begin', trials: 2 }],
    ['replaces a replacement', [p, u, p, p, u], { kind: 'begin', trials: 1 }],
    ['begins fresh after replacements', [p, u, p, p, p], { kind: 'begin', trials: 4 }],
    ['replaces only as many as it has', [u, u, u, p, u, u, u], { kind: 'begin', trials: 1 }],
    ['stops without an answer', [u, u, u, u, u, u, u, u], { kind: 'stop', stop: 'notDecided' }],
    ['fails early', [f, f, f, f], { kind: 'stop', stop: 'failedEarly' }],
    ['passes early', Array(16).fill(p), { kind: 'stop', stop: 'passedEarly' }],
  ])('%s', (_, results, next) => {
    expect(followPlan(plan, results).next).toEqual(next);
  });

  test.each<[PlannedResult[], unknown, number]>([
    [[], { kind: 'begin', trials: 1 }, 0],
    [[o], { kind: 'wait' }, 0],
    [[p], { kind: 'stop', stop: 'deterministic' }, 1],
    [[f], { kind: 'stop', stop: 'deterministic' }, 1],
    [[u], { kind: 'begin', trials: 1 }, 0],
    [[u, p], { kind: 'stop', stop: 'deterministic' }, 1],
    [[u, u], { kind: 'stop', stop: 'notDecided' }, 0],
  ])('of a deterministic variant is one trial: %j', (results, next, graded) => {
    const followed = followPlan({ ...plan, isDeterministic: true }, results);
    expect(followed.next).toEqual(next);
    expect(followed.trials).toBe(graded);
  });
});
