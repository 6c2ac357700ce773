import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
const noErrors = { type: 'noToolErrors' };

function suiteBody(changes: object = {}) {
  const tests = [{ title: 'One', steps }];
  return { name: 'Weather', serverIds: [tenant.serverId], model: 'a/b', tests, ...changes };
}

async function makeSuite(changes: object = {}, key = tenant.key): Promise<string> {
  const made = await ask('POST', 'eval-suites', suiteBody(changes), key);
  expect(made.status, made.text).toBe(201);
  return made.body.suiteId;
}

async function edit(suiteId: string, body: object, path = '') {
  return ask('PATCH', `eval-suites/${suiteId}${path}`, body);
}

async function read(suiteId: string) {
  const answer = await ask('GET', `eval-suites/${suiteId}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function refusal({ status, body }: { status: number; body: { details?: object } }) {
  const { path, reason } = (body.details ?? {}) as { path?: string; reason?: string };
  return [status, path, ...(reason === undefined ? [] : [reason])];
}

describe('a new suite', () => {
  test('has its cases in their order, and no run', async () => {
    const tests = [
      {
        title: 'One',
        steps,
        runs: 3,
        model: 'm',
        provider: 'p',
        isNegativeTest: true,
        expectedOutput: 'Hello',
        scenario: 'Morning',
        advancedConfig: { system: 'Be brief.', temperature: 0 },
        id: 'one',
      },
      { title: 'Two', steps },
    ];
    const made = await ask('POST', 'eval-suites', suiteBody({ tests, serverNames: ['x'] }));
    expect(made.body).toEqual({
      suiteId: expect.stringMatching(/^ste_/),
      name: 'Weather',
      servers: [{ id: tenant.serverId, name: 'Sample' }],
      caseUpsert: {
        committed: [
          { id: expect.stringMatching(/^cas_/), name: 'One' },
          { id: expect.stringMatching(/^cas_/), name: 'Two' },
        ],
        failed: [],
      },
      warnings: [
        ...['body.model', 'body.tests[0].model'].map((path) => ({
          path,
          code: 'MODEL_NOT_AVAILABLE',
          message: expect.stringContaining('There is no provider'),
        })),
        {
          path: 'body.tests[1]',
          code: 'CASE_ASSERTS_NOTHING',
          message: expect.stringContaining('The case "Two" asserts nothing'),
        },
      ],
    });
    const { suiteId, caseUpsert } = made.body;
    const { items } = (await ask('GET', `eval-suites/${suiteId}/cases`)).body;
    const at = { createdAt: expect.any(Number), updatedAt: expect.any(Number) };
    expect(items).toEqual([
      {
        id: caseUpsert.committed[0].id,
        declaredId: 'one',
        title: 'One',
        steps,
        iterations: 3,
        isNegative: true,
        models: [{ model: 'm', provider: 'p' }],
        expectedOutput: 'Hello',
        scenario: 'Morning',
        ...at,
        advancedConfig: { system: 'Be brief.', temperature: 0 },
      },
      {
        id: caseUpsert.committed[1].id,
        title: 'Two',
        steps,
        iterations: 1,
        iterationsInherited: true,
        isNegative: false,
        models: [],
        ...at,
      },
    ]);
    expect((await ask('GET', `eval-suites/${suiteId}/runs`)).body.items).toEqual([]);
  });

  test('reads as it was made', async () => {
    const settings = { checks: [noErrors], judge: { enabled: true }, minimumIterations: 2 };
    const passCriteria = { minimumPassRate: 80 };
    const extras = { description: 'About rain', settings, passCriteria, tags: ['nightly'] };
    const suiteId = await makeSuite(extras);
    expect(await read(suiteId)).toEqual({
      id: suiteId,
      mode: 'agentWorkflow',
      name: 'Weather',
      description: 'About rain',
      projectId: tenant.projectId,
      environment: {
        servers: ['Sample'],
        serverIds: [tenant.serverId],
        computerEnvironment: null,
      },
      executionConfig: { model: 'a/b', provider: 'a' },
      hosts: [],
      environmentIds: [],
      settings: {
        minimumAccuracy: 80,
        minimumIterations: 2,
        matchOptions: null,
        checks: [noErrors],
        judge: { enabled: true, model: null, autoRun: false, threshold: 0.7 },
      },
      schedule: {
        enabled: false,
        intervalMinutes: null,
        calendar: null,
        environmentId: null,
        nextRunAt: null,
        lastAttempt: null,
      },
      tags: ['nightly'],
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
  });

  const step = steps[0];
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  test.each<[string, () => object, string]>([
    ['a server of others', () => ({ serverIds: [theirs.serverId] }), 'body.serverIds[0]'],
    ['no server', () => ({ serverIds: [] }), 'body.serverIds'],
    ['no model', () => ({ model: ' ' }), 'body.model'],
    ['no test', () => ({ tests: [] }), 'body.tests'],
    [
      '101 tests',
      () => ({ tests: many(101).map((n) => ({ title: `T${n}`, steps })) }),
      'body.tests',
    ],
    [
      'a key nobody knows in a test',
      () => ({ tests: [{ title: 'x', steps, isNegativ: true }] }),
      'body.tests[0].isNegativ',
    ],
    [
      'a key nobody knows inside a test',
      () => ({ tests: [{ title: 'x', steps, advancedConfig: { whatever: 1 } }] }),
      'body.tests[0].advancedConfig.whatever',
    ],
    ['no step', () => ({ tests: [{ title: 'x', steps: [] }] }), 'body.tests[0].steps'],
    [
      '201 steps',
      () => ({ tests: [{ title: 'x', steps: many(201).map((n) => ({ ...step, id: `${n}` })) }] }),
      'body.tests[0].steps',
    ],
    [
      'a step twice',
      () => ({ tests: [{ title: 'x', steps: [step, step] }] }),
      'body.tests[0].steps[1].id',
    ],
    [
      'an unknown key of a step',
      () => ({ tests: [{ title: 'x', steps: [{ ...step, extra: 1 }] }] }),
      'body.tests[0].steps[0].extra',
    ],
    ['101 runs', () => ({ tests: [{ title: 'x', steps, runs: 101 }] }), 'body.tests[0].runs'],
    [
      'an id twice',
      () => ({
        tests: [
          { title: 'x', id: 'a', steps },
          { title: 'y', id: 'a', steps },
        ],
      }),
      'body.tests[1].id',
    ],
    [
      '51 checks',
      () => ({ settings: { checks: many(51).map(() => noErrors) } }),
      'body.settings.checks',
    ],
    ['an unknown setting', () => ({ settings: { extra: 1 } }), 'body.settings.extra'],
    [
      'another policy',
      () => ({ settings: { verdictPolicyVersion: 1 } }),
      'body.settings.verdictPolicyVersion',
    ],
  ])('with %s is refused, and nothing is made', async (_title, changes, path) => {
    const before = (await ask('GET', 'eval-suites')).body.items.length;
    const answer = await ask('POST', 'eval-suites', suiteBody(changes()));
    expect([answer.status, answer.body.details.path], answer.text).toEqual([400, path]);
    expect((await ask('GET', 'eval-suites')).body.items).toHaveLength(before);
  });
});

describe('an edit', () => {
  test('changes what it names', async () => {
    const suiteId = await makeSuite({ settings: { minimumIterations: 3, checks: [noErrors] } });
    const answer = await edit(suiteId, {
      name: 'Rain',
      description: 'Later',
      environment: { servers: ['sample'] },
      executionConfig: { model: 'c/d', systemPrompt: 'Be brief.', temperature: 0.5 },
      hosts: [{ host: 'default client', servers: [tenant.serverId] }],
      settings: {
        minimumIterations: null,
        checks: null,
        matchOptions: { toolCallOrder: 'in-order' },
        judge: { enabled: true, model: 'j' },
        verdictPolicyVersion: 2,
        verdictPolicyDefaults: { repetitions: 5, passThreshold: 0.8 },
        toolPolicy: { mode: 'readOnly' },
        sessions: 'run',
      },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      name: 'Rain',
      description: 'Later',
      environment: { servers: ['Sample'], serverIds: [tenant.serverId] },
      executionConfig: { model: 'c/d', provider: 'c', systemPrompt: 'Be brief.', temperature: 0.5 },
      hosts: [{ id: tenant.hostId, name: 'Default client', servers: [tenant.serverId] }],
      settings: {
        minimumIterations: null,
        checks: [],
        matchOptions: { toolCallOrder: 'in-order' },
        judge: { enabled: true, model: 'j' },
        verdictPolicyVersion: 2,
        verdictPolicyDefaults: { repetitions: 5, passThreshold: 0.8 },
        toolPolicy: { mode: 'readOnly' },
        sessions: 'run',
      },
    });
    const { warnings, ...shown } = answer.body;
    expect(warnings).toMatchObject([
      { path: 'body.executionConfig.model', code: 'MODEL_NOT_AVAILABLE' },
      { path: 'cases[0]', code: 'CASE_ASSERTS_NOTHING' },
    ]);
    expect(await read(suiteId)).toEqual(shown);
    await edit(suiteId, { settings: { matchOptions: null } });
    expect((await read(suiteId)).settings.matchOptions).toBeNull();
  });

  test('of environments: a list replaces, null clears, an empty list is refused', async () => {
    const suiteId = await makeSuite();
    const { environmentId: second } = await createEnvironment(service, tenant, unique('env'));
    const attach = async (environmentIds: unknown) => edit(suiteId, { environmentIds });
    expect((await attach([tenant.environmentId, second, second])).body.environmentIds).toEqual([
      ...[tenant.environmentId, second],
    ]);
    expect((await attach([second])).body.environmentIds).toEqual([second]);
    expect(refusal(await attach([]))).toEqual([400, 'body.environmentIds']);
    expect((await edit(suiteId, { name: 'Same' })).body.environmentIds).toEqual([second]);
    expect((await attach(null)).body.environmentIds).toEqual([]);
    await ask('POST', `environments/${second}/archive`, { expectedRevision: 1 });
    expect(refusal(await attach([tenant.environmentId, second]))).toEqual([
      ...[400, 'body.environmentIds[1]', 'ENVIRONMENT_ARCHIVED'],
    ]);
    const foreign = await attach([theirs.environmentId]);
    const unknown = await attach(['env_00000000000000000000000000']);
    expect(refusal(foreign)).toEqual([400, 'body.environmentIds[0]', 'ENVIRONMENT_NOT_FOUND']);
    expect(foreign.text).toBe(unknown.text);
  });

  test.each<[string, () => object, string]>([
    ['nothing', () => ({}), 'body'],
    ['an unknown field', () => ({ extra: 1 }), 'body.extra'],
    ['an unknown field inside', () => ({ environment: { extra: 1 } }), 'body.environment.extra'],
    [
      'a server of others',
      () => ({ environment: { servers: [theirs.serverId] } }),
      'body.environment.servers[0]',
    ],
    ['a client of others', () => ({ hosts: [{ host: theirs.hostId }] }), 'body.hosts[0].host'],
    [
      'a server of others for a client',
      () => ({ hosts: [{ host: tenant.hostId, servers: [theirs.serverId] }] }),
      'body.hosts[0].servers[0]',
    ],
    [
      'a computer',
      () => ({ environment: { computerEnvironment: 'x' } }),
      'body.environment.computerEnvironment',
    ],
    [
      '120 percent',
      () => ({ settings: { minimumAccuracy: 120 } }),
      'body.settings.minimumAccuracy',
    ],
    [
      'two spellings that differ',
      () => ({ settings: { matchOptions: { arguments: 'exact', argumentMatching: 'partial' } } }),
      'body.settings.matchOptions.arguments',
    ],
    ['a blank name', () => ({ name: ' ' }), 'body.name'],
  ])('of %s is refused', async (_title, body, path) => {
    const suiteId = await makeSuite();
    const before = await read(suiteId);
    const answer = await edit(suiteId, body());
    expect([answer.status, answer.body.details.path], answer.text).toEqual([400, path]);
    expect(await read(suiteId)).toEqual(before);
  });

  test('of a suite that only reports knew makes it an authored one', async () => {
    const answer = await edit(tenant.suiteId, { executionConfig: { model: 'a/b' } });
    expect(answer.body).toMatchObject({ id: tenant.suiteId, executionConfig: { model: 'a/b' } });
  });
});

test('a report under the name of an authored suite belongs to it, and so do its cases by their ids', async () => {
  const name = unique('Shared');
  const made = await ask(
    'POST',
    'eval-suites',
    suiteBody({ name, tests: [{ title: 'One', id: 'one', steps }] }),
  );
  const report = await createReporter(service, tenant).ingest('report', {
    suiteName: name,
    results: [{ ...passing, caseId: 'one' }],
  });
  expect(report.body.suiteId).toBe(made.body.suiteId);
  const trials = await ask('GET', `eval-runs/${report.body.runId}/iterations`);
  expect(trials.body.items[0].testCaseId).toBe(made.body.caseUpsert.committed[0].id);
});

test('what is written is told in the audit log', async () => {
  const suiteId = await makeSuite();
  await edit(suiteId, { name: 'Renamed' });
  await edit(suiteId, { enabled: true, intervalMinutes: 60 }, '/schedule');
  await ask('DELETE', `eval-suites/${suiteId}`);
  const lines = await service.owner.sql`
    select action from audit_log where subject_id = ${suiteId} order by id`;
  expect(lines.map((line) => line['action'])).toEqual([
    ...['evalSuite.created', 'evalSuite.updated', 'evalSuite.scheduled', 'evalSuite.deleted'],
  ]);
});
