import { readFileSync } from 'node:fs';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'artifact');
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

async function upload(file: string | Buffer): Promise<string> {
  const { uploadUrl, artifactId } = await mintUpload(service, tenant);
  expect((await sendFile(uploadUrl, file)).body).toEqual({ storageId: artifactId });
  return artifactId;
}

const sample = (name: string) =>
  readFileSync(new URL(`../../../../outside/reports/samples/${name}`, import.meta.url));

test.each([
  ['vitest3.json', 'vitest-json', { total: 12, passed: 4, failed: 4, skipped: 3, setupFailed: 1 }],
  ['jest29.json', 'jest-json', { total: 10, passed: 3, failed: 4, skipped: 2, setupFailed: 1 }],
  [
    'pytest-junit.xml',
    'junit-xml',
    { total: 12, passed: 4, failed: 5, skipped: 2, setupFailed: 1 },
  ],
  [
    'playwright-junit.xml',
    'junit-xml',
    { total: 5, passed: 2, failed: 1, skipped: 2, setupFailed: 0 },
  ],
])('%s keeps its true counts, and skipped tests have no result', async (name, format, counts) => {
  const artifactId = await upload(sample(name));
  const answer = await ingest('report', { suiteName: name, artifact: { artifactId, format } });
  expect(answer.status, answer.text).toBe(200);
  const { items } = (await read(`eval-runs/${answer.body.runId}/iterations?limit=200`)).body;
  const count = (isOne: (trial: { status: string; result: string | null }) => boolean) =>
    items.filter(isOne).length;
  expect({
    total: answer.body.summary.total,
    passed: count(({ result }) => result === 'passed'),
    failed: count(({ result }) => result === 'failed'),
    skipped: count(({ status, result }) => status === 'skipped' && result === null),
    setupFailed: count(({ status, result }) => status === 'setup_failed' && result === null),
  }).toEqual(counts);
  // Iteration numbers start at 1 in each case.
  const counted = new Map<string, number>();
  for (const { testCaseId, iterationNumber } of items) {
    counted.set(testCaseId, (counted.get(testCaseId) ?? 0) + 1);
    expect(iterationNumber).toBe(counted.get(testCaseId));
  }
  // Skipped trials were planned but not attempted, so the strict default policy makes the run
  // inconclusive.
  expect((await read(`eval-runs/${answer.body.runId}/decision-summary`)).body.verdict).toBe(
    'inconclusive',
  );
});

// None of these files has a skipped test, so each run can be decided.
test.each([
  ['mocha-junit-reporter/green.xml', 'passed', 'passed', 6, 0],
  ['mocha-junit-reporter/red.xml', 'failed', 'failed', 1, 4],
  ['mocha-junit-reporter/wholly-red.xml', 'failed', 'failed', 0, 2],
  ['jest-junit/wholly-red.xml', 'failed', 'failed', 0, 4],
  ['nextest/green.xml', 'passed', 'passed', 4, 0],
  ['nextest/red.xml', 'failed', 'failed', 3, 1],
  // In these files no test ran, or a test was not loaded. The run is stored but does not pass.
  ['pytest/not-loaded.xml', null, 'inconclusive', 0, 0],
  ['vitest/not-loaded.xml', null, 'inconclusive', 0, 0],
  ['gotestsum/build-failed.xml', null, 'inconclusive', 3, 0],
  ['node-test/parent-threw.xml', null, 'inconclusive', 1, 0],
])('%s is decided as its producer meant it', async (name, result, verdict, passed, failed) => {
  const file = readFileSync(
    new URL(`../../../../../../../tests/report-samples/${name}`, import.meta.url),
  );
  const artifact = { artifactId: await upload(file), format: 'junit-xml' };
  const answer = await ingest('report', { suiteName: name, artifact });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.result).toBe(result);
  expect(answer.body.summary).toMatchObject({ passed, failed });
  const summary = await read(`eval-runs/${answer.body.runId}/decision-summary`);
  expect(summary.body.verdict).toBe(verdict);
});

test('a file that could not be loaded is told with its own reason', async () => {
  const file = readFileSync(
    new URL('../../../../../../../tests/report-samples/vitest/not-loaded.json', import.meta.url),
  );
  const artifact = { artifactId: await upload(file), format: 'vitest-json' };
  const answer = await ingest('report', { suiteName: 'Not loaded', artifact });
  const { items } = (await read(`eval-runs/${answer.body.runId}/iterations`)).body;
  expect(items).toMatchObject([
    {
      title: '/project/broken.test.mjs',
      status: 'setup_failed',
      result: null,
      error: "Cannot find module '/no-such-module.mjs' imported from /project/broken.test.mjs",
    },
  ]);
});

const green = '<testsuite><testcase classname="a" name="b" time="0.5"/></testsuite>';

test('the file is used up: another report finds none, the same one its answer', async () => {
  const artifact = { artifactId: await upload(green), format: 'junit-xml' };
  const body = { suiteName: 'Used', externalRunId: unique('used'), artifact };
  const first = await ingest('report', body);
  expect(first.body).toMatchObject({ result: 'passed', summary: { total: 1 } });
  expect((await ingest('report', body)).body).toEqual({ ...first.body, reused: true });
  expect((await ingest('report', { ...body, externalRunId: unique('used') })).status).toBe(404);
  expect(
    (await service.owner.sql`select from artifacts where id = ${artifact.artifactId}`).count,
  ).toBe(0);
});

test('two reports of one file at the same moment make one run', async () => {
  const artifact = { artifactId: await upload(green), format: 'junit-xml' };
  const suiteName = unique('Race');
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() =>
      ingest('report', { suiteName, externalRunId: unique('race'), artifact }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  const suites = (await read('eval-suites')).body.items;
  expect(suites.find(({ name }: { name: string }) => name === suiteName).totals.runs).toBe(1);
});

test.each([
  [
    'a DOCTYPE',
    '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="a"/></testsuite>',
    'junit-xml',
    /DOCTYPE/,
  ],
  ['another format', '{"testResults":[]}', 'junit-xml', /JSON/],
  ['no test', '<testsuite tests="0"/>', 'junit-xml', /no test/i],
])(
  'a file with %s is refused with a sentence, writes nothing and stays',
  async (_title, file, format, sentence) => {
    const artifactId = await upload(file);
    const body = { suiteName: unique('Refused'), artifact: { artifactId, format } };
    const answer = await ingest('report', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(sentence);
    expect(answer.body.details.path).toBe('body.artifact');
    expect((await read('eval-suites')).text).not.toContain(body.suiteName);
    expect((await service.owner.sql`select from artifacts where id = ${artifactId}`).count).toBe(1);
  },
);

test('a run that ended without its file is not opened again by one', async () => {
  const body = { suiteName: 'Ended', externalRunId: unique('ended') };
  const done = await ingest('report', { ...body, results: [passing] });
  const artifact = { artifactId: await upload(green), format: 'junit-xml' };
  const refused = await ingest('report', { ...body, artifact });
  expect(refused.body.details).toMatchObject({
    reason: 'RUN_ALREADY_REPORTED',
    runId: done.body.runId,
  });
});
