import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockLaunches } from '../../store/launched-runs.ts';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'rows');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const prompt = (text: string) => ({ id: 'ask', kind: 'prompt', prompt: text });
const list = [{ type: 'finalAssistantMessageNonEmpty' }];
const checks = { mode: 'replace', list };
const rows = [
  { name: 'Ada', n: 1 },
  { name: 'Bob', n: 2 },
];
const data = { key: 'name', rows };
const greets = { title: 'Greets', steps: [prompt('Greet {{name}}')], checks, data };

async function suite(...tests: object[]): Promise<string> {
  const body = { name: 'Rows', serverIds: [tenant.serverId], model: 'proofmark/lexical-1', tests };
  const made = await ask('POST', 'eval-suites', body);
  if (made.status !== 201) throw new Error(made.text);
  return `eval-suites/${made.body.suiteId}`;
}

const plain = { title: 'Plain', steps: [prompt('Say {{this}} as it is')], checks };

describe('what cannot be filled in is refused with its place and its row', () => {
  const bad = { ...greets, steps: [prompt('Greet {{nane}}')] };
  const unknown = { path: 'body.steps[0].prompt', reason: 'DATA_INVALID' };

  test('in a case that is added, and in one that is edited', async () => {
    const at = await suite(plain);
    const added = await ask('POST', `${at}/cases`, bad);
    expect([added.status, added.body.details]).toEqual([400, unknown]);
    expect(added.body.message).toContain('no column "nane"');
    const { id } = (await ask('POST', `${at}/cases`, greets)).body;
    const edited = await ask('PATCH', `${at}/cases/${id}`, { steps: bad.steps });
    expect([edited.status, edited.body.details]).toEqual([400, unknown]);
    const lacking = { data: { rows: [...rows, { n: 3 }] } };
    expect((await ask('PATCH', `${at}/cases/${id}`, lacking)).body.details).toMatchObject({
      path: 'body.data.rows[2].name',
    });
    const renamed = {
      data: { rows: [{ name: 'Ada' }, { name: ' ' }] },
      steps: [prompt('{{name}}')],
    };
    expect((await ask('PATCH', `${at}/cases/${id}`, renamed)).body).toMatchObject({
      message: expect.stringContaining('In the row " "'),
    });
    expect((await ask('GET', `${at}/cases/${id}`)).body).toMatchObject({
      steps: greets.steps,
      data: { ...data, rowCount: 2 },
    });
  });

  test('in tests, in a batch, and in a pattern', async () => {
    const body = { name: 'x', serverIds: [tenant.serverId], model: 'proofmark/lexical-1' };
    const assertions = [{ type: 'responseMatches', pattern: '{{name}}' }];
    const { checks: _none, ...asserted } = { ...greets, assertions };
    const broken = { ...asserted, data: { key: 'n', rows: [...rows, { n: 3, name: '(' }] } };
    const refused = await ask('POST', 'eval-suites', { ...body, tests: [asserted, broken] });
    expect([refused.status, refused.body.details.path]).toEqual([
      400,
      'body.tests[1].assertions[0].pattern',
    ]);
    expect(refused.body.message).toContain('In the row "3"');
    const launched = await ask('POST', 'eval-runs', {
      suiteName: 'x',
      serverIds: [tenant.serverId],
      tests: [{ ...bad, model: body.model }],
    });
    expect(launched.body.details.path).toBe('body.tests[0].steps[0].prompt');
    const at = await suite(plain);
    const batch = await ask('POST', `${at}/cases/batch`, { cases: [bad, greets] });
    expect(batch.body).toMatchObject({
      created: [{ index: 1 }],
      failed: [{ index: 0, code: 'INVALID_CASE', message: expect.stringContaining('"nane"') }],
    });
  });

  test('a file over HTTP, which only the command reads', async () => {
    const at = await suite(plain);
    const named = { ...greets, data: { key: 'name', file: 'people.csv' } };
    const refused = await ask('POST', `${at}/cases`, named);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Only the proofmark command reads data files');
  });
});

test('braces in a case without data are text, also when its data is taken away', async () => {
  const at = await suite(plain, greets);
  const [, { id }] = (await ask('GET', `${at}/cases`)).body.items;
  const cleared = await ask('PATCH', `${at}/cases/${id}`, { data: null, steps: plain.steps });
  expect(cleared.status, cleared.text).toBe(200);
  expect(cleared.body.data).toBeUndefined();
});

test('a template stands for a number or a schema, and every row is held against what may stand there', async () => {
  const at = await suite(plain);
  const assertion = { type: 'toolResultMatchesSchema', schema: '{{shape}}' };
  const bounded = {
    ...greets,
    steps: [...greets.steps, { id: 'see', kind: 'assert', assertion }],
    checks: { mode: 'replace', list: [{ type: 'toolCallCountUnder', count: '{{most}}' }] },
    data: { key: 'name', rows: [{ name: 'Ada', most: '2', shape: { type: 'object' } }] },
  };
  const made = await ask('POST', `${at}/cases`, bounded);
  expect(made.status, made.text).toBe(201);
  expect(made.body.checks).toEqual(bounded.checks);
  const withRow = (row: object) => ({
    data: { rows: [...bounded.data.rows, { name: 'Bob', most: 1, shape: {}, ...row }] },
  });
  const place = `${at}/cases/${made.body.id}`;
  const refused = async (body: object) => (await ask('PATCH', place, body)).body;
  expect(await refused(withRow({ most: 'few' }))).toMatchObject({
    message: 'In the row "Bob": This must be a number, not text.',
    details: { path: 'body.checks.list[0].count', reason: 'DATA_INVALID' },
  });
  expect(await refused(withRow({ shape: { $ref: 'https://example.com/s' } }))).toMatchObject({
    message: expect.stringMatching(/^In the row "Bob": This schema cannot be checked/),
    details: { path: 'body.steps[1].assertion.schema' },
  });
  // Without data rows, the placeholders in the case have no values.
  expect(await refused({ data: null })).toMatchObject({
    message: expect.stringContaining('only in a case with data'),
    details: { path: 'body.steps[1].assertion.schema' },
  });
  const { data: _rows, ...without } = bounded;
  const added = await ask('POST', `${at}/cases`, without);
  expect([added.status, added.body.details.path]).toEqual([400, 'body.steps[1].assertion.schema']);
  expect((await ask('PATCH', place, withRow({ most: 3 }))).status).toBe(200);
  const written = await ask('GET', `${at}/export?format=json`);
  expect(JSON.parse(written.body.content).cases[1]).toMatchObject({
    steps: bounded.steps,
    assertions: bounded.checks.list,
  });
});

test('an edit changes what it names of the data, and no more', async () => {
  const at = await suite(greets);
  const [{ id }] = (await ask('GET', `${at}/cases`)).body.items;
  const place = `${at}/cases/${id}`;
  const sample = { rows: 1, seed: 3 };
  await ask('PATCH', place, { data: { sample } });
  expect((await ask('PATCH', place, { data: { key: 'n' } })).body.data).toEqual({
    key: 'n',
    rowCount: 2,
    sample,
  });
  expect((await ask('PATCH', place, { data: { sample: null } })).body.data).toEqual({
    key: 'n',
    rowCount: 2,
  });
  expect((await ask('GET', place)).body.data).toEqual({ key: 'n', rowCount: 2, rows });
});

test('5,000 rows of moderate size are taken, and more than a body may hold is told with its limit', async () => {
  const at = await suite(plain);
  const many = (length: number) =>
    Array.from({ length: 5000 }, (_, n) => ({ name: `person ${n}`, text: 'x'.repeat(length) }));
  const made = await ask('POST', `${at}/cases`, {
    ...greets,
    data: { key: 'name', rows: many(800) },
  });
  expect(made.status, made.text.slice(0, 300)).toBe(201);
  expect(made.body.data).toEqual({ key: 'name', rowCount: 5000 });
  const long = await ask('POST', `${at}/cases`, {
    ...greets,
    data: { key: 'name', rows: many(1100) },
  });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('5,000,000')]);
  const longer = await ask('POST', `${at}/cases`, {
    ...greets,
    data: { key: 'name', rows: many(2000) },
  });
  expect([longer.status, longer.body.details]).toEqual([
    400,
    { path: 'body', limitBytes: 7_000_000 },
  ]);
}, 60_000);

test('the rows of all cases of one request are bounded, and that is told with the number', async () => {
  const at = await suite(greets);
  const [{ id }] = (await ask('GET', `${at}/cases`)).body.items;
  const many = Array.from({ length: 3500 }, (_, n) => ({ name: n }));
  const ofMany = { steps: [prompt('{{name}}')], data: { key: 'name', rows: many } };
  const cases = [1, 2, 3].map((n) => ({ id: `c${n}`, title: `C${n}`, ...ofMany }));
  const details = { reason: 'TOO_MANY_ROWS', limit: 10_000 };
  const batch = await ask('POST', `${at}/cases/batch`, { cases });
  expect([batch.status, batch.body.details]).toEqual([400, { path: 'body.cases', ...details }]);
  expect(batch.body.message).toContain('at most 10,000 rows together, and these have 10,500');
  const body = { name: 'x', serverIds: [tenant.serverId], model: 'proofmark/lexical-1' };
  const tests = cases.map(({ id: _id, ...one }) => one);
  const made = await ask('POST', 'eval-suites', { ...body, tests });
  expect(made.body.details).toEqual({ path: 'body.tests', ...details });
  const content = JSON.stringify(suiteFile(unique('suite'), { cases } as never));
  const imported = await ask('POST', 'eval-suites/import', { content });
  expect(imported.body.details).toMatchObject({ path: 'body.content.cases', ...details });
  // Rows are validated before the suite is locked, so the validation does not wait for this lock.
  await service.owner.transaction(async (held) => {
    await held`select from eval_suites where id = ${at.split('/')[1] ?? ''} for update`;
    const spoiled = { data: { rows: [...rows, { name: ' ' }] }, steps: [prompt('{{name}}')] };
    const edited = await ask('PATCH', `${at}/cases/${id}`, spoiled);
    expect([edited.status, edited.body.details.reason]).toEqual([400, 'DATA_INVALID']);
    const [one] = cases;
    const sent = await ask('POST', `${at}/cases`, {
      ...one,
      ...spoiled,
      data: { ...one?.data, ...spoiled.data },
    });
    expect([sent.status, sent.body.details.reason]).toEqual([400, 'DATA_INVALID']);
    const crowded = await ask('POST', `${at}/cases/batch`, { cases });
    expect([crowded.status, crowded.body.details.reason]).toEqual([400, 'TOO_MANY_ROWS']);
  });
}, 60_000);

test('rows of tests that a launch brings along are looked at while another launch holds the organization', async () => {
  const spoiled = {
    title: 'x',
    steps: [prompt('{{name}}')],
    model: 'proofmark/lexical-1',
    data: { key: 'name', rows: [...rows, { name: ' ' }] },
  };
  await service.owner.transaction(async (held) => {
    await lockLaunches(held, tenant.organizationId);
    const body = { suiteName: 'x', serverIds: [tenant.serverId], tests: [spoiled] };
    const launched = await ask('POST', 'eval-runs', body);
    expect([launched.status, launched.body.details.reason]).toEqual([400, 'DATA_INVALID']);
  });
});

describe('a suite file', () => {
  const fileOf = (id: string, of: object) =>
    JSON.stringify(
      suiteFile(id, {
        cases: [
          {
            id: 'greets',
            title: 'Greets',
            steps: [prompt('{{name}}')],
            assertions: list,
            data: of,
          },
        ],
      } as never),
    );
  const importFile = (content: string, more: object = {}) =>
    ask('POST', 'eval-suites/import', { content, ...more });

  test('with the rows of its data files sent along has them inline when it is written again', async () => {
    const id = unique('suite');
    const sample = { rows: 1, seed: 7 };
    const named = fileOf(id, { key: 'name', file: 'people.csv', sample });
    const made = await importFile(named, { dataFiles: { 'people.csv': rows } });
    expect(made.status, made.text).toBe(201);
    const place = `eval-suites/${made.body.suiteId}/export`;
    const yaml = (await ask('GET', place)).body.content;
    expect(yaml).toContain('name: Ada');
    const json = (await ask('GET', `${place}?format=json`)).body.content;
    expect(JSON.parse(json).cases[0].data).toEqual({ key: 'name', rows, sample });
    expect((await importFile(yaml)).body).toMatchObject({ replaced: true });
    expect((await ask('GET', place)).body.content).toBe(yaml);
  });

  test.each<[string, object, object, RegExp]>([
    [
      'without them',
      { key: 'name', file: 'people.csv' },
      {},
      /data\.file: The rows of "people.csv" are missing/,
    ],
    [
      'with none that fit',
      { key: 'id', file: 'a' },
      { dataFiles: { a: rows } },
      /data\.rows\[0\]\.id: The row has no/,
    ],
    ['with both', { key: 'name', file: 'a', rows }, {}, /Give either rows or file/],
    ['with neither', { key: 'name' }, {}, /Give either rows or file/],
    [
      'with an unknown name',
      { key: 'n', rows: [{ n: 1 }] },
      {},
      /cases\[0\]\.steps\[0\]\.prompt: .*no column "name"/,
    ],
  ])('%s is refused', async (_what, of, more, message) => {
    const refused = await importFile(fileOf(unique('suite'), of), more);
    expect([refused.status, refused.body.details.reason]).toEqual([400, 'SUITE_FILE_INVALID']);
    expect(refused.body.details.findings[0].message).toMatch(message);
  });
});
