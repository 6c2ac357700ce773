import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;

const trials = { healthyRate: 0.95, drop: 0.15 };
const passThreshold = 0.8897;

/** The model's trials get these outcomes in order. After the list, the last outcome repeats. */
function outcomes(...list: ('passes' | 'fails' | 'breaks')[]): ModelScript {
  let begun = 0;
  return ({ messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'It is sunny in Rome.' };
    const outcome = list[Math.min(begun, list.length - 1)];
    begun += 1;
    if (outcome === 'passes')
      return { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
    return outcome === 'fails' ? { text: 'I do not know.' } : { status: 400, text: 'no' };
  };
}

beforeAll(async () => {
  fixture = await startEvalFixture({ good: outcomes('passes'), other: outcomes('passes') });
  ({ id: serverId } = await fixture.mcpServer());
});
afterAll(() => fixture.stop());

const weather = (more: object = {}) => ({ title: 'Weather', steps: whole, ...more });

async function suiteOf(cases: readonly object[], settings?: object, model = 'local/good') {
  return fixture.suite({
    serverIds: [serverId],
    model,
    cases: cases as never,
    ...(settings && { settings }),
  });
}

async function play(script: ModelScript, stated: object = trials) {
  fixture.provider.scripts.set('good', script);
  return fixture.run(await suiteOf([weather({ trials: stated })]));
}

describe('a planned case', () => {
  test('that is healthy passes early, with no trial beyond the look', async () => {
    const { run, summary, trials: played } = await play(outcomes('passes'));
    expect(played).toHaveLength(16);
    expect(run).toMatchObject({ result: 'passed', expectedIterations: 16, iterationCount: 16 });
    const [decided] = summary.decision.cases;
    expect(decided).toMatchObject({ configuredTrials: 16, passedTrials: 16 });
    expect(decided.effectivePassThreshold).toBeCloseTo(passThreshold, 4);
    expect(run.plans).toEqual(summary.plans);
    const [plan] = run.plans.cases;
    expect(plan).toMatchObject({ stop: 'passedEarly', cap: 40, look: 4, trials: 16, passed: 16 });
    expect(plan.walk.map((one: { trials: number }) => one.trials)).toEqual([4, 8, 12, 16]);
    expect(plan.walk.at(-1).l).toBeLessThanOrEqual(plan.lower);
    expect([plan.exactFalseFail, plan.exactMiss].map((one) => one.toFixed(4))).toEqual([
      '0.0471',
      '0.0994',
    ]);
    expect(run.plans).toMatchObject({ planned: 1, falseFailOfRun: 0.05 });
    expect(new Set(played.map(({ iterationNumber }) => iterationNumber)).size).toBe(16);
  });

  test('that is broken fails at the first look', async () => {
    const { run, summary, trials: played } = await play(outcomes('fails'));
    expect(played).toHaveLength(4);
    expect(run.plans.cases[0]).toMatchObject({ stop: 'failedEarly', trials: 4, passed: 0 });
    expect(summary).toMatchObject({ verdict: 'failed' });
  });

  test('that stays between the lines is decided at the cap', async () => {
    // Eight of nine pass, which is just below the passing score of 0.8897.
    const nearly = Array.from({ length: 45 }, (_, at) => (at % 9 === 4 ? 'fails' : 'passes'));
    const { run, summary } = await play(outcomes(...(nearly as 'passes'[])));
    const [plan] = run.plans.cases;
    expect(plan).toMatchObject({ stop: 'atCap', trials: 40 });
    const isMet = plan.passed / plan.trials >= plan.passThreshold;
    expect(summary.verdict).toBe(isMet ? 'passed' : 'failed');
  });

  test('replaces trials that were not graded', async () => {
    const { run, summary, trials: played } = await play(outcomes('breaks', 'breaks', 'passes'));
    expect(played).toHaveLength(18);
    expect(run.plans.cases[0]).toMatchObject({ stop: 'passedEarly', trials: 16, passed: 16 });
    expect(summary.decision.cases[0]).toMatchObject({ configuredTrials: 18, attemptedTrials: 18 });
  });

  test('of which no trial can be graded is not decided', async () => {
    const { run, summary, trials: played } = await play(outcomes('breaks'));
    expect(played).toHaveLength(8);
    expect(run.plans.cases[0]).toMatchObject({ stop: 'notDecided', trials: 0 });
    expect(summary.verdict).toBe('inconclusive');
  });

  test('is played once on the built-in model', async () => {
    const suiteId = await suiteOf([weather({ trials })], undefined, 'proofmark/lexical-1');
    const { run, trials: played } = await fixture.run(suiteId);
    expect(played).toHaveLength(1);
    expect(run.plans.cases[0]).toMatchObject({ stop: 'deterministic', cap: 1, trials: 1 });
  });
});

test('planned and fixed cases of a suite stop one by one', async () => {
  fixture.provider.scripts.set('good', outcomes('passes'));
  fixture.provider.scripts.set('other', outcomes('fails'));
  const suiteId = await suiteOf(
    [
      weather({ title: 'planned' }),
      weather({ title: 'fixed', iterations: 3 }),
      weather({ title: 'broken', models: [{ model: 'local/other' }] }),
    ],
    { verdictPolicyDefaults: { trials } },
  );
  const { run, summary } = await fixture.run(suiteId);
  const trialsOf = summary.decision.cases.map(
    ({ caseId, configuredTrials }: { caseId: string; configuredTrials: number }) => [
      run.caseTitles[caseId],
      configuredTrials,
    ],
  );
  expect(Object.fromEntries(trialsOf)).toEqual({ planned: 16, fixed: 3, broken: 4 });
  expect(run.plans.planned).toBe(2);
  expect(run.plans.falseFailOfRun).toBeCloseTo(1 - 0.95 ** 2, 12);
});

test('a launch may plan all cases, and a rerun plans them again', async () => {
  fixture.provider.scripts.set('good', outcomes('fails'));
  const suiteId = await suiteOf([weather({ iterations: 2 })]);
  const { run, runId } = await fixture.run(suiteId, { trials: { ...trials, look: 1 } });
  expect(run.plans.cases[0]).toMatchObject({ stop: 'failedEarly', trials: 3, look: 1 });
  const again = await fixture.get(202, 'POST', `eval-runs/${runId}/rerun`, { scope: 'failed' });
  const rerun = await fixture.read(again.runId);
  expect(rerun.run.plans.cases[0]).toMatchObject({ trials: 3, look: 1 });
});

test('a run without a plan says so', async () => {
  fixture.provider.scripts.set('good', outcomes('passes'));
  const { run, summary } = await fixture.run(await suiteOf([weather()]));
  expect([run.plans, summary.plans]).toEqual([null, null]);
});

describe('a plan is refused', () => {
  const large = { healthyRate: 0.9, drop: 0.01 };
  const suite = (more: object) => ({
    name: 'Refused',
    serverIds: [serverId],
    model: 'local/good',
    tests: [weather()],
    ...more,
  });

  test.each<[string, () => object, string, object]>([
    [
      'beside a number of trials',
      () => suite({ tests: [weather({ trials, runs: 2 })] }),
      'body.tests[0].trials',
      {},
    ],
    [
      'beside a passing score of the suite',
      () => suite({ settings: { verdictPolicyDefaults: { trials, passThreshold: 0.9 } } }),
      'body.settings.verdictPolicyDefaults.trials',
      {},
    ],
    [
      'of a case that needs too many trials',
      () => suite({ tests: [weather({ trials: large })] }),
      'body.tests[0].trials',
      { reason: 'PLAN_TOO_LARGE', smallestDrop: 0.084 },
    ],
    [
      'of a suite that needs too many trials',
      () => suite({ settings: { verdictPolicyDefaults: { trials: large } } }),
      'body.settings.verdictPolicyDefaults.trials',
      { reason: 'PLAN_TOO_LARGE', smallestDrop: 0.084 },
    ],
    [
      'with a drop as large as the healthy rate',
      () => suite({ tests: [weather({ trials: { healthyRate: 0.5, drop: 0.5 } })] }),
      'body.tests[0].trials.drop',
      {},
    ],
  ])('%s', async (_, body, path, details) => {
    const { status, body: answer } = await fixture.ask('POST', 'eval-suites', body());
    expect({ status, ...answer.details }).toMatchObject({ status: 400, path, ...details });
  });

  test('at the launch, beside a number of trials', async () => {
    const suiteId = await suiteOf([weather({ trials })]);
    const asked = await fixture.ask('POST', 'eval-runs', { suiteId, iterationOverride: 3 });
    expect(asked.status).toBe(400);
    expect(asked.body.details).toMatchObject({ reason: 'PLANNED_TRIALS' });
    const both = { suiteId, iterationOverride: 3, trials };
    expect((await fixture.ask('POST', 'eval-runs', both)).status).toBe(400);
  });

  test('at an edit of a case that states a number of trials', async () => {
    const suiteId = await suiteOf([weather({ iterations: 2 })]);
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
    const path = `eval-suites/${suiteId}/cases/${items[0].id}`;
    const refused = await fixture.ask('PATCH', path, { trials });
    expect(refused.body.details).toMatchObject({ path: 'body.trials' });
    const edited = await fixture.get(200, 'PATCH', path, { trials, iterations: null });
    expect(edited).toMatchObject({ trials, iterationsInherited: true });
  });
});

test('a plan travels with a suite file', async () => {
  const suiteId = await suiteOf([weather({ trials })], {
    verdictPolicyDefaults: { trials: { ...trials, look: 2 } },
  });
  const exported = await fixture.get(200, 'GET', `eval-suites/${suiteId}/export?format=json`);
  const file = JSON.parse(exported.content);
  expect(file).toMatchObject({ defaults: { trials: { look: 2 } }, cases: [{ trials }] });
});

test('a replay decides the recorded trials by the plan that the launch stated', async () => {
  fixture.provider.scripts.set('good', outcomes('fails', 'passes'));
  const suiteId = await suiteOf([weather()]);
  const plan = { healthyRate: 0.9, drop: 0.2 };
  const { runId, run, trials: played } = await fixture.run(suiteId, { trials: plan });
  expect(run).toMatchObject({ verdict: 'passed', summary: { failed: 1 } });
  const replay = { runId, model: 'recorded', servers: 'recorded', onDivergence: 'stop' };
  const again = await fixture.run(suiteId, { replay });
  expect(again.run).toMatchObject({ verdict: 'passed', plans: null });
  const [decided] = again.summary.decision.cases;
  expect(decided.configuredTrials).toBe(played.length);
  expect(decided.effectivePassThreshold).toBeCloseTo(0.8138, 4);
});

test('the quota of trials is charged with what was begun', async () => {
  const { sql } = fixture.service.owner;
  const used = async () => {
    const [row] = await sql<{ used: string }[]>`
      select coalesce(sum(used), 0)::text as used from daily_counters
      where organization_id = ${fixture.tenant.organizationId} and counter = 'trialsPerDay'`;
    return Number(row?.used);
  };
  const before = await used();
  await play(outcomes('passes'));
  expect((await used()) - before).toBe(16);
  await play(outcomes('breaks'));
  expect((await used()) - before).toBe(24);
});
