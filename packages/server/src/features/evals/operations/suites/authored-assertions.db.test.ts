import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
let suiteId: string;
const prompt = { id: 'ask', kind: 'prompt', prompt: 'Hello' };
const call = {
  id: 'call',
  kind: 'toolCall',
  serverName: 'Sample',
  toolName: 'add',
  arguments: {},
};
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
  const made = await ask('POST', 'eval-suites', suiteBody({}));
  expect(made.status, made.text).toBe(201);
  suiteId = made.body.suiteId;
});
afterAll(() => service.stop());

function suiteBody(changes: object) {
  const tests = [{ title: 'One', steps: [prompt] }];
  return { name: 'Weather', serverIds: [tenant.serverId], model: 'a/b', tests, ...changes };
}

const never = { type: 'toolResultMatchesSchema', schema: { items: { $dynamicRef: '#a' } } };
const count = { type: 'toolCallCountUnder', count: 3 };
const rows: [string, object, unknown[]][] = [
  [
    'a schema that can never be checked',
    { steps: [prompt], checks: { mode: 'extend', list: [never] } },
    ['.checks.list[0].schema', 'SCHEMA_INVALID'],
  ],
  [
    'a pattern of a later kind',
    { steps: [prompt, assert({ type: 'toolResultMatches', pattern: '(' })] },
    ['.steps[1].assertion.pattern', 'PATTERN_INVALID'],
  ],
  [
    'what is about choosing, where no model chooses',
    { steps: [call, assert(count)] },
    ['.steps[1].assertion.type', 'NO_PROMPT'],
  ],
];

function assert(assertion: object) {
  return { id: 'check', kind: 'assert', assertion };
}

describe.each(rows)('%s', (_title, definition, [place, reason]) => {
  const one = { title: 'Bad', ...definition };
  test('is refused with a suite', async () => {
    const { status, body } = await ask('POST', 'eval-suites', suiteBody({ tests: [one] }));
    expect([status, body.details]).toEqual([400, { path: `body.tests[0]${place}`, reason }]);
  });

  test('is refused with a case, and in an edit of one', async () => {
    const path = `eval-suites/${suiteId}/cases`;
    const made = await ask('POST', path, one);
    expect([made.status, made.body.details]).toEqual([400, { path: `body${place}`, reason }]);
    const good = await ask('POST', path, { title: 'Good', steps: [prompt] });
    expect(good.status, good.text).toBe(201);
    const edited = await ask('PATCH', `${path}/${good.body.id}`, definition);
    expect([edited.status, edited.body.details]).toEqual([400, { path: `body${place}`, reason }]);
  });

  test('is refused in a suite file', async () => {
    const { checks, steps } = definition as { checks?: { list: object[] }; steps: object[] };
    const assertions = checks === undefined ? {} : { assertions: checks.list };
    const content = JSON.stringify({
      schemaVersion: '1',
      mode: 'agentWorkflow',
      reportingMode: 'standard',
      suite: { id: 'file', name: 'File' },
      target: { servers: [{ name: 'Sample' }] },
      defaults: { model: 'a/b', repetitions: 1, passThreshold: 1, validity: {} },
      cases: [{ id: 'one', title: 'Bad', steps, ...assertions }],
    });
    const { status, body } = await ask('POST', 'eval-suites/import', { content });
    const at = `body.content.cases[0]${String(place).replace('checks.list', 'assertions')}`;
    expect([status, body.details.path]).toEqual([400, at]);
  });

  test('is refused in a batch, by itself', async () => {
    const { body } = await ask('POST', `eval-suites/${suiteId}/cases/batch`, { cases: [one] });
    expect(body.failed).toMatchObject([{ index: 0, code: 'INVALID_CASE' }]);
    expect(body.failed[0].message).toContain(`case${place}`);
  });
});

test('of a suite: what is about choosing is asked only where a model chooses', async () => {
  const tests = [
    { title: 'Asks', steps: [prompt] },
    { title: 'Calls', steps: [call] },
  ];
  const made = await ask(
    'POST',
    'eval-suites',
    suiteBody({ tests, settings: { checks: [count] } }),
  );
  expect(made.status, made.text).toBe(201);
  const { body } = await ask('GET', `eval-suites/${made.body.suiteId}/export`);
  expect(JSON.stringify(body).match(/toolCallCountUnder/g)).toHaveLength(1);
});

test.each([
  [{ type: 'noEndingQuestion' }, 'role', 'cannot fail a trial'],
  [{ ...never, schema: { type: 'text' } }, 'schema', 'not a valid JSON Schema'],
])('%j is refused in words', async (assertion, field, words) => {
  const { status, body } = await ask('PATCH', `eval-suites/${suiteId}`, {
    settings: { checks: [assertion] },
  });
  expect([status, body.details.path]).toEqual([400, `body.settings.checks[0].${field}`]);
  expect(body.message).toContain(words);
});

test('plain arguments of a call are stored as those of args.args, and read back so', async () => {
  const plain = { type: 'toolCalledWith', toolName: 'add', args: { a: 2 } };
  const steps = [prompt, assert(plain)];
  const tests = [{ title: 'Adds', steps, checks: { mode: 'extend', list: [plain] } }];
  const made = await ask(
    'POST',
    'eval-suites',
    suiteBody({ tests, settings: { checks: [plain] } }),
  );
  expect(made.status, made.text).toBe(201);
  const stored = { ...plain, args: { args: { a: 2 } } };
  const suite = await ask('GET', `eval-suites/${made.body.suiteId}`);
  expect(suite.body.settings.checks).toEqual([stored]);
  const cases = await ask('GET', `eval-suites/${made.body.suiteId}/cases`);
  expect(cases.body.items).toMatchObject([
    { steps: [prompt, { assertion: stored }], checks: { list: [stored] } },
  ]);
});

test('a model that nobody has configured is warned of wherever it is written, and is written', async () => {
  const codesOf = ({ status, body }: Awaited<ReturnType<ProjectCaller>>) => [
    status,
    ...body.warnings
      .filter(({ code }: { code: string }) => code === 'MODEL_NOT_AVAILABLE')
      .map(({ path }: { path: string }) => path),
  ];
  const known = 'proofmark/lexical-1';
  const tests = [{ title: 'One', steps: [prompt], model: 'nobody/x' }];
  expect(codesOf(await ask('POST', 'eval-suites', suiteBody({})))).toEqual([201, 'body.model']);
  const made = await ask('POST', 'eval-suites', suiteBody({ model: known, tests }));
  expect(codesOf(made)).toEqual([201, 'body.tests[0].model']);
  const suite = `eval-suites/${made.body.suiteId}`;
  const other = { title: 'Two', steps: [prompt], models: [{ model: known }] };
  const added = await ask('POST', `${suite}/cases`, other);
  expect(codesOf(added)).toEqual([201]);
  const models = [{ model: known }, { model: 'nobody/y' }];
  const edited = await ask('PATCH', `${suite}/cases/${added.body.id}`, { models });
  expect(codesOf(edited)).toEqual([200, 'body.models[1]']);
  expect(edited.body.models).toMatchObject(models);
  const executionConfig = { model: 'nobody/z' };
  const paths = codesOf(await ask('PATCH', suite, { executionConfig }));
  expect(paths[1]).toBe('body.executionConfig.model');
  expect((await ask('GET', suite)).body.executionConfig.model).toBe('nobody/z');
});
