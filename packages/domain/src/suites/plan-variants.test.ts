import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slicesOfRun } from './cut-slices.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { caseToPlan as caseOf, planned, runToPlan as run } from './plan-run.fixture.ts';
import { planRun, type RunOverrides } from './plan-run.ts';
import { placedPlans } from './plans-of-run.ts';
import { countedTrials, firstTrials, planTrials } from './run-plan.ts';
import type { SuiteDefinition } from './suite-definition.ts';

const trials = { healthyRate: 0.95, drop: 0.15 };
const other = { healthyRate: 0.9, drop: 0.2, look: 1 };
const ofSuite = { settings: { verdictPolicyDefaults: { trials } } };

function variantOf(
  suite: Partial<SuiteDefinition>,
  definition: Partial<EvalCaseDefinition>,
  overrides: RunOverrides = {},
) {
  const { plan } = planned(run(suite, [caseOf('one', definition)], overrides));
  return { passThreshold: plan.cases[0]?.passThreshold, ...plan.cases[0]?.variants[0] };
}

describe('the trials of a case', () => {
  test.each<[string, Partial<SuiteDefinition>, Partial<EvalCaseDefinition>, RunOverrides, object]>([
    ['are planned by the suite', ofSuite, {}, {}, { healthyRate: 0.95, cap: 40, look: 4 }],
    ['are planned by the case', {}, { trials: other }, {}, { healthyRate: 0.9, cap: 46, look: 1 }],
    ['by the case against the suite', ofSuite, { trials: other }, {}, { healthyRate: 0.9 }],
    ['by the launch against the case', {}, { trials: other }, { trials }, { healthyRate: 0.95 }],
    ['by the launch against a number', {}, { iterations: 3 }, { trials }, { healthyRate: 0.95 }],
  ])('%s', (_, suite, definition, overrides, plan) => {
    const variant = variantOf(suite, definition, overrides);
    expect(variant.trialPlan).toMatchObject(plan);
    expect(variant.repetitions).toBe(variant.trialPlan?.cap);
    expect(variant.passThreshold).toBe(variant.trialPlan?.passThreshold);
  });

  test.each<[string, Partial<EvalCaseDefinition>, number, number]>([
    ['repetitions', { iterations: 3 }, 3, 1],
    ['a passing score', { passThreshold: 0.5 }, 1, 0.5],
  ])(
    'are a fixed number where the case of a planned suite states %s',
    (_, definition, ...expected) => {
      const { repetitions, passThreshold, trialPlan } = variantOf(ofSuite, definition);
      expect([repetitions, passThreshold, trialPlan]).toEqual([...expected, undefined]);
    },
  );

  test('are not raised by the minimum of the suite', () => {
    const settings = { ...ofSuite.settings, minimumIterations: 9 };
    expect(variantOf({ settings }, {}).repetitions).toBe(40);
    expect(variantOf({ settings }, { passThreshold: 0.5 }).repetitions).toBe(1);
  });

  test('are one where nothing varies', () => {
    const variant = variantOf({ ...ofSuite, model: 'proofmark/lexical-1' }, {});
    expect(variant).toMatchObject({ repetitions: 1, trialPlan: { isDeterministic: true } });
    const call = { id: 's', kind: 'toolCall' as const, toolName: 'a', arguments: {} };
    const steps = [call] as never;
    expect(variantOf({ ...ofSuite, mode: 'serverContract' }, { steps }).repetitions).toBe(1);
    // A server may ask the case's model in the middle of a call, so the trials can differ.
    expect(variantOf(ofSuite, { steps }).repetitions).toBe(40);
  });

  test('vary where a model judges them', () => {
    const goal = { type: 'goalCompleted', goal: 'It helps.', judgeModel: 'p/judge' };
    const checks = { mode: 'replace', list: [goal] } as never;
    const variant = variantOf({ ...ofSuite, model: 'proofmark/lexical-1' }, { checks });
    expect(variant.trialPlan?.isDeterministic).toBeUndefined();
  });
});

test('the policy decides a planned run, though the suite states a percentage', () => {
  const settings = { minimumAccuracy: 80 };
  const { terms } = planned(run({ settings }, [caseOf('one', { trials })]));
  expect(terms).toMatchObject({ passThreshold: 1 });
  expect(terms).not.toHaveProperty('minimumPassRate');
});

test('cases share the false fails of a run', () => {
  const suite = {
    settings: { verdictPolicyDefaults: { trials: { ...trials, scope: 'run' as const } } },
  };
  const cases = ['a', 'b', 'c', 'd'].map((id) => caseOf(id));
  const { plan } = planned(run(suite, cases));
  expect(placedPlans(plan).map((one) => one.plan.falseFail)).toEqual(Array(4).fill(0.0125));
  expect(placedPlans(plan)[0]?.plan.exactFalseFail).toBeLessThanOrEqual(0.0125);
});

test.each<[string, RunOverrides, string, unknown]>([
  ['a number of trials', { iterationOverride: 2 }, 'body.iterationOverride', 'PLANNED_TRIALS'],
  [
    'a percentage',
    { passCriteria: { minimumPassRate: 80 } },
    'body.passCriteria',
    'PASS_CRITERIA_NOT_APPLICABLE',
  ],
  [
    'a plan that is too large',
    { trials: { healthyRate: 0.9, drop: 0.01 } },
    'body.trials',
    'PLAN_TOO_LARGE',
  ],
])('a launch with %s is refused for a planned case', (_, overrides, path, reason) => {
  const outcome = planRun(run({}, [caseOf('one', { trials })], overrides));
  expect(outcome).toMatchObject({ refusal: { details: { path, reason } } });
});

test('a launch of other cases may state a number of trials', () => {
  const cases = [caseOf('one', { trials }), caseOf('two')];
  const overrides = { caseIds: ['two'], iterationOverride: 2 };
  expect(planned(run({}, cases, overrides)).trialCount).toBe(2);
});

const anyCase = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((iterations) => ({ iterations })),
  fc.constantFrom({ trials }, { trials: other }),
);

test('slices cover each first trial once, and each trial of a plan alone', () => {
  fc.assert(
    fc.property(
      fc.array(anyCase, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      (cases, lanes) => {
        const { plan, trialCount } = planned(
          run(
            {},
            cases.map((one, index) => caseOf(`c${index}`, one)),
          ),
        );
        const begun = firstTrials(plan).map(({ ordinal }) => ordinal);
        const slices = slicesOfRun(plan, lanes);
        const covered = slices.flatMap(({ firstOrdinal, lastOrdinal }) =>
          Array.from({ length: lastOrdinal - firstOrdinal + 1 }, (_, at) => firstOrdinal + at),
        );
        expect(covered).toEqual(begun);
        expect(countedTrials(plan)).toHaveLength(trialCount);
        const places = placedPlans(plan);
        for (const { firstOrdinal, lastOrdinal } of places) {
          const own = slices.filter(
            (slice) => slice.firstOrdinal >= firstOrdinal && slice.firstOrdinal <= lastOrdinal,
          );
          expect(own.every((slice) => slice.firstOrdinal === slice.lastOrdinal)).toBe(true);
          const all = planTrials(plan).slice(firstOrdinal - 1, lastOrdinal);
          expect(new Set(all.map(({ caseIndex }) => caseIndex)).size).toBe(1);
        }
      },
    ),
  );
});
