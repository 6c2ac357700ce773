import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPlannedModels } from './check-planned-models.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { judgesOf } from './name-judges.ts';
import { caseToPlan as caseOf, planned, reasonOf, runToPlan as run } from './plan-run.fixture.ts';
import { maxTrialsPerRun, planRun, type RunOverrides, type RunToPlan } from './plan-run.ts';
import { planTrials } from './run-plan.ts';
import type { SuiteDefinition } from './suite-definition.ts';

const played = {
  id: 'cli_1',
  configId: 'cfg_1',
  config: {
    modelId: 'p/client',
    systemPrompt: 'of the client',
    temperature: 0.5,
    clientCapabilities: {},
    hostContext: {},
  },
  modelId: 'p/environment',
};

describe('how often a case runs', () => {
  test.each<[string, Partial<SuiteDefinition>, Partial<EvalCaseDefinition>, RunOverrides, number]>([
    ['once by default', {}, {}, {}, 1],
    ['as the case says', {}, { iterations: 3 }, {}, 3],
    ['as the policy says', { settings: { verdictPolicyDefaults: { repetitions: 5 } } }, {}, {}, 5],
    [
      'as the case says against the policy',
      { settings: { verdictPolicyDefaults: { repetitions: 5 } } },
      { iterations: 2 },
      {},
      2,
    ],
    ['at least the floor', { settings: { minimumIterations: 4 } }, { iterations: 2 }, {}, 4],
    ['more than the floor', { settings: { minimumIterations: 4 } }, { iterations: 7 }, {}, 7],
    [
      'as the run says, whatever else',
      { settings: { minimumIterations: 4 } },
      { iterations: 7 },
      { iterationOverride: 1 },
      1,
    ],
  ])('%s', (_, suite, definition, overrides, repetitions) => {
    const { plan, trialCount } = planned(run(suite, [caseOf('one', definition)], overrides));
    expect(plan.cases[0]?.variants[0]?.repetitions).toBe(repetitions);
    expect(trialCount).toBe(repetitions);
  });
});

describe('which model a case runs on', () => {
  const models = [{ model: 'x/a' }, { model: 'b', provider: 'y' }];
  test.each<
    [string, Partial<SuiteDefinition>, Partial<EvalCaseDefinition>, Partial<RunToPlan>, object[]]
  >([
    ['that of the suite', {}, {}, {}, [{ model: 'p/suite', provider: 'p' }]],
    [
      'that of the suite with its provider',
      { model: 'm', provider: 'q' },
      {},
      {},
      [{ model: 'm', provider: 'q' }],
    ],
    [
      'that of the client that is played, before the suite',
      {},
      {},
      { played },
      [{ model: 'p/environment', provider: 'p' }],
    ],
    [
      'those of the case, before all others',
      {},
      { models },
      { played },
      [
        { model: 'x/a', provider: 'x' },
        { model: 'b', provider: 'y' },
      ],
    ],
    [
      'the same model only once',
      {},
      { models: [{ model: 'x/a' }, { model: 'x/a', provider: 'x' }] },
      {},
      [{ model: 'x/a', provider: 'x' }],
    ],
  ])('%s', (_, suite, definition, more, expected) => {
    const { plan } = planned(run(suite, [caseOf('one', definition)], {}, more));
    expect(plan.cases[0]?.variants).toEqual(expected.map((one) => ({ ...one, repetitions: 1 })));
  });

  test('a case without any is refused', () => {
    const { model: _model, ...definition } = run().suite.definition;
    const suite = { id: 's', name: 'S', definition };
    expect(reasonOf({ ...run(), suite })).toBe('MODEL_REQUIRED');
  });
});

test('system prompt and parameters are those of the case, else of the client, else of the suite', () => {
  const suite = { systemPrompt: 'of the suite', temperature: 1 };
  const own = caseOf('own', { advancedConfig: { system: 'of the case', toolChoice: 'required' } });
  const first = (given: RunToPlan) => planned(given).plan.cases[0];
  expect(first(run(suite))).toMatchObject({ system: 'of the suite', temperature: 1 });
  expect(first(run(suite, [caseOf('one')], {}, { played }))).toMatchObject({
    system: 'of the client',
    temperature: 0.5,
  });
  expect(first(run(suite, [own], {}, { played }))).toMatchObject({
    system: 'of the case',
    temperature: 0.5,
    toolChoice: 'required',
  });
  const parameters = { topP: 0.1, maxTokens: 5, seed: 1, reasoningEffort: 'low' } as const;
  const ofCase = caseOf('own', { advancedConfig: { seed: 0 } });
  expect(first(run(parameters, [ofCase], {}, { played }))).toMatchObject({
    ...parameters,
    seed: 0,
  });
});

describe('which cases run', () => {
  const cases = [
    caseOf('one'),
    caseOf('two', { declaredId: 'second' }),
    caseOf('off', { disabled: true }),
  ];
  test.each<[string, readonly string[] | undefined, readonly string[] | string]>([
    ['all that are enabled', undefined, ['one', 'two']],
    ['those that are named, in the order of the suite', ['second', 'one', 'one'], ['one', 'two']],
    ['an unknown one', ['one', 'other'], 'CASE_NOT_FOUND'],
    ['a disabled one', ['off'], 'NO_CASES'],
  ])('%s', (_, caseIds, expected) => {
    const given = run({}, cases, { caseIds });
    if (typeof expected === 'string') expect(reasonOf(given)).toBe(expected);
    else expect(planned(given).plan.cases.map(({ caseId }) => caseId)).toEqual(expected);
  });

  test('none at all is refused', () => expect(reasonOf(run({}, []))).toBe('NO_CASES'));
});

test('a run of more trials than are allowed is refused, and one of exactly as many is not', () => {
  const cases = Array.from({ length: maxTrialsPerRun / 100 }, (_, at) =>
    caseOf(`c${at}`, { iterations: 100 }),
  );
  expect(planned(run({}, cases)).trialCount).toBe(maxTrialsPerRun);
  expect(reasonOf(run({}, [...cases, caseOf('more')]))).toBe('TOO_MANY_TRIALS');
});

test('options, checks and thresholds come in layers', () => {
  const check = { type: 'noToolErrors' } as const;
  const own = { type: 'finalAssistantMessageNonEmpty' } as const;
  const suite = {
    settings: {
      matchOptions: { toolCallOrder: 'exact', arguments: 'exact' },
      checks: [check],
      verdictPolicyDefaults: { passThreshold: 0.5, validity: { minEligibleTrials: 2 } },
      toolPolicy: { mode: 'readOnly' },
      sessions: 'run',
    },
  } as const satisfies Partial<SuiteDefinition>;
  const one = caseOf('one', {
    matchOptions: { extraToolCalls: 1 },
    checks: { mode: 'extend', list: [own] },
    passThreshold: 0.9,
    failOnToolError: false,
    isNegative: true,
    elicitations: [{ action: 'cancel' }],
  });
  const given = run(suite as unknown as Partial<SuiteDefinition>, [one, caseOf('two')], {
    matchOptionsOverride: { arguments: 'ignore' },
    skillsOverride: 'exclude',
  });
  const { plan, terms } = planned(given);
  expect(plan.cases).toMatchObject([
    {
      matchOptions: { toolCallOrder: 'strict', maxExtraToolCalls: 1, argumentMatching: 'ignore' },
      assertions: [check, own],
      passThreshold: 0.9,
      failOnToolError: false,
      isNegative: true,
      elicitations: [{ action: 'cancel' }],
    },
    { assertions: [check], passThreshold: 0.5, failOnToolError: true, isNegative: false },
  ]);
  expect(plan.skills).toEqual([]);
  expect(plan).toMatchObject({ toolPolicy: { mode: 'readOnly' }, sessions: 'run' });
  expect(terms).toMatchObject({
    passThreshold: 0.5,
    policy: { coverage: { minEligibleTrials: 2 } },
  });
});

test.each<[string, Partial<SuiteDefinition>, RunOverrides, object]>([
  [
    'the percentage of the run',
    { settings: { minimumAccuracy: 70 } },
    { passCriteria: { minimumPassRate: 90 } },
    { minimumPassRate: 90 },
  ],
  [
    'the percentage of the suite',
    { settings: { minimumAccuracy: 70 } },
    {},
    { minimumPassRate: 70 },
  ],
  [
    'the policy of the suite before any percentage',
    { settings: { minimumAccuracy: 70, verdictPolicyDefaults: {} } },
    { passCriteria: {} },
    { passThreshold: 1 },
  ],
  ['the policy by default', {}, { passCriteria: {} }, { passThreshold: 1 }],
])('a run is decided by %s', (_, suite, overrides, expected) => {
  expect(planned(run(suite, [caseOf('one')], overrides)).terms).toMatchObject(expected);
});

test('a percentage of the run is refused where a policy would pass over it', () => {
  const suite = { settings: { verdictPolicyDefaults: {} } };
  const passCriteria = { minimumPassRate: 90 };
  expect(planRun(run(suite, [caseOf('one')], { passCriteria }))).toMatchObject({
    refusal: { code: 'VALIDATION_ERROR', details: { reason: 'PASS_CRITERIA_NOT_APPLICABLE' } },
  });
});

describe('the judge', () => {
  const judged = (judge: NonNullable<SuiteDefinition['settings']['judge']>) =>
    run({ settings: { judge } });
  test('is pinned with its threshold', () => {
    const { plan } = planned(judged({ enabled: true, model: 'p/j', autoRun: true }));
    expect(plan.judge).toEqual({ model: 'p/j', threshold: 0.7, autoRun: true });
    expect(planned(judged({ enabled: true, model: 'p/j', threshold: 0.2 })).plan.judge).toEqual({
      model: 'p/j',
      threshold: 0.2,
      autoRun: false,
    });
  });
  test('is absent while it is off or names no model', () => {
    expect(planned(judged({ enabled: false, model: 'p/j' })).plan.judge).toBeUndefined();
    expect(planned(judged({ enabled: true })).plan.judge).toBeUndefined();
  });
  test('that is an assertion is that of the row, else of the suite, else of the operator', () => {
    const goal = { type: 'goalCompleted', outcome: 'Done.' } as const;
    const step = { id: 'goal', kind: 'assert', assertion: goal } as const;
    const asking = (judge: object | undefined, named: object = {}) => {
      const given = judged(judge as never);
      const settings = { ...given.suite.definition.settings, checks: [{ ...goal, ...named }] };
      const cases = given.cases.map((one) => ({
        ...one,
        definition: { ...one.definition, steps: [...one.definition.steps, step] },
      }));
      const definition = { ...given.suite.definition, settings };
      return { ...given, suite: { ...given.suite, definition }, cases };
    };
    const modelsOf = (given: RunToPlan) => judgesOf(planned(given).plan.cases);
    const ofSuite = { enabled: false, model: 'j', provider: 'p' };
    expect(modelsOf(asking(ofSuite))).toEqual([{ model: 'p/j' }]);
    expect(modelsOf(asking(ofSuite, { judgeModel: 'p/own' }))).toEqual([
      { model: 'p/own' },
      { model: 'p/j' },
    ]);
    const without = asking({ enabled: false });
    expect(modelsOf({ ...without, judgeModel: 'p/operator' })).toEqual([{ model: 'p/operator' }]);
    expect(reasonOf(without)).toBe('JUDGE_MODEL_REQUIRED');
  });
  test('that is to speak by itself needs a model', () => {
    expect(reasonOf(judged({ enabled: true, autoRun: true }))).toBe('JUDGE_MODEL_REQUIRED');
  });
});

describe('the models of a plan', () => {
  const offer = { hosted: [{ id: 'p/suite', provider: 'p' }], providers: ['p', 'q'] };
  const check = (given: RunToPlan, keyed: string[]) =>
    checkPlannedModels(planned(given).plan, offer, keyed);
  test('that are hosted take no key of the caller', () => {
    expect(check(run(), ['q'])).toEqual({ providers: ['p'], keyedProviders: [] });
  });
  test('that are not take the key of their provider and no other', () => {
    const own = [caseOf('one', { models: [{ model: 'm', provider: 'q' }] })];
    const keyed = { providers: ['q'], keyedProviders: ['q'] };
    expect(check(run({}, own), ['q', 'r'])).toEqual(keyed);
    expect(check(run({}, own), ['r'])).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { hostedModels: ['p/suite'] } },
    });
  });
  test('hold for a judge that speaks by itself, and for no other', () => {
    const judge = { enabled: true, model: 'q/j' };
    const unasked = { providers: ['p'], keyedProviders: [] };
    expect(check(run({ settings: { judge } }), [])).toEqual(unasked);
    const auto = run({ settings: { judge: { ...judge, autoRun: true } } });
    expect(check(auto, ['q'])).toEqual({ providers: ['p', 'q'], keyedProviders: ['q'] });
    expect(check(auto, [])).toMatchObject({ refusal: { code: 'VALIDATION_ERROR' } });
  });
});

test('trials are as many as were planned, numbered without a gap, each variant from one', () => {
  const anyCase = fc.record({
    iterations: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    models: fc.option(
      fc.array(fc.record({ model: fc.constantFrom('a/x', 'a/y', 'b/z') }), {
        minLength: 1,
        maxLength: 4,
      }),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(fc.array(anyCase, { minLength: 1, maxLength: 6 }), (all) => {
      const cases = all.map(({ iterations, models }, at) =>
        caseOf(`c${at}`, { ...(iterations && { iterations }), ...(models && { models }) }),
      );
      const { plan, trialCount } = planned(run({}, cases));
      const trials = planTrials(plan);
      expect(trials).toHaveLength(trialCount);
      expect(trials.map(({ ordinal }) => ordinal)).toEqual(trials.map((_, at) => at + 1));
      for (const { variants } of plan.cases) {
        const names = variants.map(({ model, provider }) => `${provider} ${model}`);
        expect(new Set(names).size).toBe(names.length);
      }
      const named = new Set(
        trials.map((one) => `${one.caseIndex} ${one.variantIndex} ${one.trialNumber}`),
      );
      expect(named.size).toBe(trials.length);
    }),
  );
});
