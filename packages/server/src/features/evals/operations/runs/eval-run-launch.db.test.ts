import {
  createLauncher,
  type Launcher,
  hostedModel as model,
  weatherSteps as steps,
} from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let ask: ProjectCaller;
let inline: Launcher['inline'];
let suite: Launcher['suite'];
let environment: Launcher['environment'];
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  ({ ask, inline, suite, environment } = createLauncher(service, tenant));
});
afterAll(() => service.stop());
const planOf = async (runId: string) => {
  const [row] = await service.owner.sql`select plan from eval_run_plans where run_id = ${runId}`;
  return JSON.parse(row?.['plan']);
};

describe('a run', () => {
  test('of inline tests makes its suite and cases and is written with its trials, slices and jobs', async () => {
    const body = inline({
      tests: [
        { id: 'weather', title: 'Weather', steps, runs: 3, model },
        { title: 'Greeting', steps: [steps[0]], model, isNegativeTest: true },
      ],
      notes: 'By hand.',
      runGroupId: 'group-1',
    });
    const launched = await ask('POST', 'eval-runs', body);
    expect(launched.status, launched.text).toBe(202);
    const { runId, suiteId } = launched.body;
    expect(launched.body).toEqual({
      runId,
      suiteId,
      status: 'pending',
      runGroupId: 'group-1',
      servers: [{ id: tenant.serverId, name: 'Sample' }],
      environment: null,
      caseUpsert: {
        committed: [
          { id: expect.stringMatching(/^cas_/), name: 'Weather' },
          { id: expect.stringMatching(/^cas_/), name: 'Greeting' },
        ],
        failed: [],
      },
      warnings: [],
    });
    const run = await ask('GET', `eval-runs/${runId}`);
    const neverAsked = { status: null, cases: [], threshold: null, modelUsed: null };
    expect(run.body).toMatchObject({
      status: 'pending',
      result: null,
      runNumber: 1,
      source: 'api',
      notes: 'By hand.',
      expectedIterations: 4,
      iterationCount: 0,
      verdictPolicyVersion: 2,
      executionEngine: 'proofmark',
      runGroupId: 'group-1',
      environment: null,
      judges: { goalCompletion: neverAsked, groundedness: neverAsked },
    });
    const trials = (await ask('GET', `eval-runs/${runId}/iterations`)).body.items;
    expect(trials.map((one: { iterationNumber: number }) => one.iterationNumber)).toEqual([
      1, 2, 3, 1,
    ]);
    expect(trials[0]).toMatchObject({
      status: 'pending',
      result: null,
      caseId: 'weather',
      title: 'Weather',
      model,
      provider: 'proofmark',
      expectedToolCalls: [{ toolName: 'get_weather', arguments: { city: 'Oslo' } }],
      actualToolCalls: [],
    });
    const { sql } = service.owner;
    const slices = await sql`
      select first_item, last_item, status from leased_work where group_id = ${runId} order by number`;
    expect(slices.map((one) => [one['firstItem'], one['lastItem'], one['status']])).toEqual(
      [1, 2, 3, 4].map((at) => [at, at, 'open']),
    );
    // The scorer configuration is stored once per case, not once per trial.
    const configs = await sql`
      select config_hash, count(*)::integer as trials, min(config) as config
      from eval_iterations trial join evaluation_configs
        on evaluation_configs.organization_id = trial.organization_id and hash = config_hash
      where run_id = ${runId} group by config_hash order by min(ordinal)`;
    expect(configs.map((one) => one['trials'])).toEqual([3, 1]);
    expect(JSON.parse(configs[0]?.['config'])).toHaveProperty('definitions');
    const jobs = await sql`select from graphile_worker.jobs`;
    expect(jobs.length).toBe(0);
    const summary = await ask('GET', `eval-runs/${runId}/decision-summary`);
    expect(summary.body.verdictSource).toBe('none');
  });

  test('of a saved suite runs again and gets the next number', async () => {
    const suiteId = await suite();
    const numbers = [];
    for (const suiteRerun of [undefined, true]) {
      const launched = await ask('POST', 'eval-runs', { suiteId, suiteRerun });
      expect(launched.status, launched.text).toBe(202);
      expect(launched.body.caseUpsert).toEqual({ committed: [], failed: [] });
      numbers.push((await ask('GET', `eval-runs/${launched.body.runId}`)).body.runNumber);
    }
    expect(numbers).toEqual([1, 2]);
    const runs = await ask('GET', `eval-suites/${suiteId}/runs`);
    expect(runs.body.items).toHaveLength(2);
  });

  test('keeps what it was launched with when the suite is edited afterwards', async () => {
    const suiteId = await suite();
    const { runId } = (await ask('POST', 'eval-runs', { suiteId })).body;
    const before = await planOf(runId);
    await ask('PATCH', `eval-suites/${suiteId}`, { settings: { minimumIterations: 5 } });
    expect(await planOf(runId)).toEqual(before);
  });
});

describe('the word of the run', () => {
  test('chooses cases, repetitions, options and thresholds', async () => {
    const suiteId = await suite({
      tests: [
        { id: 'a', title: 'A', steps, runs: 4 },
        { title: 'B', steps },
      ],
    });
    const { runId } = (
      await ask('POST', 'eval-runs', {
        suiteId,
        caseIds: ['a'],
        iterationOverride: 2,
        matchOptionsOverride: { toolCallOrder: 'exact' },
        passCriteria: { minimumPassRate: 80 },
      })
    ).body;
    const plan = await planOf(runId);
    expect(plan.cases).toMatchObject([
      { title: 'A', matchOptions: { toolCallOrder: 'strict' }, variants: [{ repetitions: 2 }] },
    ]);
    const run = await ask('GET', `eval-runs/${runId}`);
    expect(run.body).toMatchObject({ verdictPolicyVersion: null, expectedIterations: 2 });
  });

  test('plays a client with its model, on its own servers where the suite keeps none for it', async () => {
    const client = await ask('POST', 'clients', {
      name: unique('Client'),
      config: {
        modelId: model,
        systemPrompt: 'Be brief.',
        temperature: 0.3,
        serverIds: [tenant.serverId],
      },
    });
    expect(client.status, client.text).toBe(201);
    const suiteId = await suite({ model: 'openai/of-the-suite' });
    const launched = await ask('POST', 'eval-runs', { suiteId, namedHostId: client.body.id });
    expect(launched.status, launched.text).toBe(202);
    const plan = await planOf(launched.body.runId);
    expect(plan).toMatchObject({
      client: { id: client.body.id, configId: client.body.configId },
      cases: [{ system: 'Be brief.', temperature: 0.3, variants: [{ model }] }],
    });
    expect(plan.skills.length).toBeGreaterThan(0);
    const without = await ask('POST', 'eval-runs', {
      suiteId,
      namedHostId: client.body.id,
      skillsOverride: 'exclude',
    });
    expect((await planOf(without.body.runId)).skills).toEqual([]);
  });
});

describe('an environment', () => {
  test('that is the only one is taken, pinned and kept', async () => {
    const environmentId = await environment();
    const suiteId = await suite(
      { model: 'openai/of-the-suite' },
      { environmentIds: [environmentId] },
    );
    const launched = await ask('POST', 'eval-runs', { suiteId });
    expect(launched.status, launched.text).toBe(202);
    const pinned = { id: environmentId, name: expect.any(String), revision: 2 };
    expect(launched.body).toMatchObject({
      environment: pinned,
      servers: [{ id: tenant.serverId, name: 'Sample' }],
    });
    const plan = await planOf(launched.body.runId);
    expect(plan.cases[0].variants).toEqual([{ model, provider: 'proofmark', repetitions: 1 }]);
    expect(plan.client.id).toBe(tenant.hostId);
    expect(plan.skills).toHaveLength(1);
    await ask('PATCH', `environments/${environmentId}`, {
      expectedRevision: 2,
      name: unique('Renamed'),
    });
    const run = await ask('GET', `eval-runs/${launched.body.runId}`);
    expect(run.body.environment).toEqual(launched.body.environment);
  });

  test('is selected by the rules, in their order', async () => {
    const [one, two] = [await environment(), await environment()];
    const several = await suite({}, { environmentIds: [one, two] });
    const plain = await suite();
    const reasons: [object, string][] = [
      [{ suiteId: several }, 'ENVIRONMENT_REQUIRED'],
      [{ suiteId: several, environmentId: tenant.environmentId }, 'ENVIRONMENT_NOT_ATTACHED'],
      [{ suiteId: several, environmentId: other.environmentId }, 'ENVIRONMENT_NOT_ATTACHED'],
      [{ suiteId: plain, environmentId: one }, 'ENVIRONMENT_NOT_ATTACHED'],
      [{ suiteId: several, serverIds: [tenant.serverId] }, 'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE'],
      [
        { suiteId: several, environmentId: 'no', serverIds: ['no'] },
        'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
      ],
      [
        { suiteId: several, namedHostId: 'no', serverIds: ['no'] },
        'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
      ],
      [inline({ environmentId: one }), 'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE'],
      [
        { suiteId: several, environmentId: one, namedHostId: tenant.hostId },
        'ENVIRONMENT_CLIENT_NOT_OVERRIDABLE',
      ],
    ];
    for (const [body, reason] of reasons) {
      const refused = await ask('POST', 'eval-runs', body);
      expect(refused.status, refused.text).toBe(400);
      expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason } });
    }
    const launched = await ask('POST', 'eval-runs', { suiteId: several, environmentId: two });
    expect(launched.body.environment).toMatchObject({ id: two, revision: 2 });
  });

  test('that is archived cannot be run', async () => {
    const id = await environment();
    const suiteId = await suite({}, { environmentIds: [id] });
    await service.owner.sql`update environments set archived_at = now() where id = ${id}`;
    const refused = await ask('POST', 'eval-runs', { suiteId });
    expect(refused.body).toMatchObject({ code: 'CONFLICT', details: { code: 'ENV_ARCHIVED' } });
  });
});

describe('what cannot be run is refused', () => {
  test.each<[string, () => object | Promise<object>, number, object]>([
    ['neither form', () => ({ notes: 'x' }), 400, { path: 'body.suiteName' }],
    ['half of a form', () => ({ suiteName: 'x', serverIds: ['y'] }), 400, { path: 'body.tests' }],
    [
      'both forms',
      () => ({ ...inline(), suiteId: tenant.suiteId }),
      400,
      { path: 'body.suiteName' },
    ],
    ['no test', () => inline({ tests: [] }), 400, { path: 'body.tests' }],
    ['an unknown field', () => inline({ nobody: 1 }), 400, { path: 'body.nobody' }],
    [
      'a step nobody knows',
      () => inline({ tests: [{ title: 'x', model, steps: [{ id: 'a', kind: 'dance' }] }] }),
      400,
      {},
    ],
    [
      'a foreign server',
      () => inline({ serverIds: [other.serverId] }),
      400,
      { reason: 'SERVER_NOT_FOUND' },
    ],
    [
      'a foreign client',
      () => inline({ namedHostId: other.hostId }),
      400,
      { reason: 'CLIENT_NOT_FOUND' },
    ],
    ['a foreign suite', () => ({ suiteId: other.suiteId }), 404, {}],
    [
      'a case of another suite',
      async () => ({ suiteId: await suite(), caseIds: [tenant.caseId] }),
      400,
      { reason: 'CASE_NOT_FOUND' },
    ],
    [
      'a test without a model',
      () => inline({ tests: [{ title: 'x', steps }] }),
      400,
      { reason: 'MODEL_REQUIRED' },
    ],
    [
      'a provider without a model',
      () => inline({ tests: [{ title: 'x', steps, provider: 'openai' }] }),
      400,
      { path: 'body.tests[0].model' },
    ],
    [
      'eleven repetitions',
      async () => ({ suiteId: await suite(), iterationOverride: 101 }),
      400,
      { path: 'body.iterationOverride' },
    ],
    [
      'a judge without a model',
      async () => ({
        suiteId: await suite(
          {},
          { settings: { judge: { enabled: true, autoRun: true, model } } },
        ).then(async (id) => {
          await service.owner
            .sql`update eval_suites set definition = '{"model":"proofmark/lexical-1","settings":{"judge":{"enabled":true,"autoRun":true}}}' where id = ${id}`;
          return id;
        }),
      }),
      400,
      { reason: 'JUDGE_MODEL_REQUIRED' },
    ],
  ])('%s', async (_, body, status, details) => {
    const [before] = await service.owner.sql`select count(*)::int as count from eval_suites`;
    const refused = await ask('POST', 'eval-runs', await body());
    expect(refused.status, refused.text).toBe(status);
    if (status === 400) expect(refused.body.details).toMatchObject(details);
    const named = await service.owner.sql`select from eval_suites where name = 'x'`;
    expect(named.length).toBe(0);
    expect(before?.['count']).toBeGreaterThan(0);
  });

  test('a suite whose servers are gone, or that never had any', async () => {
    const made = await ask('POST', 'servers', {
      name: unique('Server'),
      transportType: 'http',
      url: 'http://127.0.0.1:9/mcp',
      enabled: true,
    });
    const gone = await suite({ serverIds: [made.body.id] });
    await service.owner.sql`delete from servers where id = ${made.body.id}`;
    const refused = await ask('POST', 'eval-runs', { suiteId: gone });
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'SERVER_NOT_FOUND' },
    });
    const reported = await ask('POST', 'eval-runs', { suiteId: tenant.suiteId });
    expect(reported.body.details.reason).toBe('NO_SAVED_SERVER_SELECTION');
  });

  test('a model nobody offers, with those that are hosted', async () => {
    const refused = await ask(
      'POST',
      'eval-runs',
      inline({ tests: [{ title: 'x', steps, model: 'acme/gpt' }] }),
    );
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { model: 'acme/gpt', hostedModels: [model] },
    });
  });
});

test.each([
  ['empty', ''],
  ['too long', 'k'.repeat(257)],
  ['not ASCII', 'ä'],
])('an idempotency key that is %s is refused, in the header and in the body', async (_, key) => {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs`;
  const headers = { 'Idempotency-Key': key };
  const answer = await call(url, { method: 'POST', key: tenant.key, headers, body: inline() });
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.details.path).toBe('header.Idempotency-Key');
  const inBody = await ask('POST', 'eval-runs', inline({ idempotencyKey: key }));
  expect(inBody.body).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { path: 'body.idempotencyKey' },
  });
});
