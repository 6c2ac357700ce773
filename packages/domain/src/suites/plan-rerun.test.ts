import { describe, expect, test } from 'vitest';
import { caseToPlan as caseOf, planned, reasonOf, runToPlan as run } from './plan-run.fixture.ts';
import type { RunOverrides } from './plan-run.ts';
import type { SuiteDefinition } from './suite-definition.ts';

describe('only some case variants', () => {
  const models = [{ model: 'x/a' }, { model: 'b', provider: 'y' }];
  const variant = (caseId: string, model: string, provider?: string) => ({
    caseId,
    model,
    provider,
  });

  test('run with all their repetitions, and what is gone is told', () => {
    const cases = [
      caseOf('one', { models, iterations: 3 }),
      caseOf('two'),
      caseOf('off', { disabled: true }),
    ];
    const variants = [
      variant('one', 'b', 'y'),
      variant('one', 'c', 'y'),
      variant('off', 'p/suite', 'p'),
      variant('deleted', 'p/suite', 'p'),
    ];
    const { plan, trialCount, gone } = planned(run({}, cases, { variants }));
    expect(plan.cases.map(({ caseId, variants: planned }) => [caseId, planned])).toEqual([
      ['one', [{ model: 'b', provider: 'y', repetitions: 3 }]],
    ]);
    expect(trialCount).toBe(3);
    expect(gone).toEqual(variants.slice(1));
  });

  test.each([
    ['deleted', [caseOf('one')], [variant('two', 'p/suite', 'p')]],
    ['on another model', [caseOf('one')], [variant('one', 'p/other', 'p')]],
    ['disabled', [caseOf('one', { disabled: true })], [variant('one', 'p/suite', 'p')]],
  ])('is refused where every one is %s', (_, cases, variants) => {
    expect(reasonOf(run({}, cases, { variants }))).toBe('NOTHING_TO_RERUN');
  });

  test('a case that is not among them need not be fit to run', () => {
    const cases = [caseOf('one', { models }), caseOf('two')];
    const without: Partial<SuiteDefinition> = {};
    const given = run(without, cases, { variants: [variant('one', 'x/a', 'x')] });
    const { model: _, ...definition } = given.suite.definition;
    const { plan } = planned({ ...given, suite: { ...given.suite, definition } });
    expect(plan.cases).toHaveLength(1);
  });
});

test('what the launch said beyond the suite is pinned, and only that', () => {
  const overrides: RunOverrides = {
    iterationOverride: 2,
    caseIds: ['one'],
    skillsOverride: 'exclude',
    matchOptionsOverride: { toolCallOrder: 'strict' },
    passCriteria: { minimumPassRate: 5 },
  };
  const { caseIds: _, ...pinned } = overrides;
  expect(planned(run({}, undefined, overrides)).plan.overrides).toEqual(pinned);
  expect(planned(run()).plan).not.toHaveProperty('overrides');
});
