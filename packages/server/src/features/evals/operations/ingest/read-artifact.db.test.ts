import { readFileSync } from 'node:fs';
import { Refused, type ReportFormat } from '@proofmark/domain';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { expireArtifact, type Minted, mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportResult } from '../../../../outside/reports/results-of-report.ts';
import type { ProjectContext } from '../../../../platform/operations/action.ts';
import { consumeArtifact } from '../../store/reported/artifacts.ts';
import { readArtifact } from './read-artifact.ts';

const report = '<testsuite><testcase classname="a" name="b" time="0.5"/></testsuite>';
let service: TestService;
let mine: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
});
afterAll(() => service.stop());

async function uploaded(file: string | Buffer, body: object = {}): Promise<Minted> {
  const minted = await mintUpload(service, mine, body);
  expect((await sendFile(minted.uploadUrl, file)).status).toBe(200);
  return minted;
}

function read(
  artifactId: string,
  format: ReportFormat = 'junit-xml',
  tenant = mine,
  whenLoaded = () => {},
) {
  const { projectId, organizationId } = tenant;
  const context = {
    project: { id: projectId, organizationId },
    tenant: (work: never) => service.database.tenant([organizationId], work).finally(whenLoaded),
  } as unknown as ProjectContext;
  return readArtifact(context, { artifactId, format });
}

async function refusalOf(reading: Promise<unknown>) {
  const outcome = await reading.catch((error) => error);
  if (outcome instanceof Refused) return outcome.refusal;
  throw outcome;
}

test.each<[string, ReportFormat, object]>([
  ['vitest3.json', 'vitest-json', { passed: 4, failed: 4, skipped: 3, stopped: 1 }],
  ['jest29.json', 'jest-json', { passed: 3, failed: 4, skipped: 2, stopped: 1 }],
  ['pytest-junit.xml', 'junit-xml', { passed: 4, failed: 5, skipped: 2, stopped: 1 }],
  ['playwright-junit.xml', 'junit-xml', { passed: 2, failed: 1, skipped: 2, stopped: 0 }],
])('%s gives its true counts', async (file, format, counts) => {
  const { artifactId } = await uploaded(sample(file), { format });
  const results = await read(artifactId, format);
  expect(countsOf(results)).toEqual(counts);
  expect(new Set(results.map((result) => result.externalIterationId)).size).toBe(results.length);
  expect(await read(artifactId, format)).toEqual(results);
});

test('a file that could not be loaded is a trial that stopped in set-up, titled by the file', async () => {
  const { artifactId } = await uploaded(sample('jest29.json'));
  const stopped = (await read(artifactId, 'jest-json')).find(
    ({ status }) => status === 'setup_failed',
  );
  expect(stopped).toMatchObject({ externalIterationId: 'error/0' });
  expect(stopped).not.toHaveProperty('passed');
  expect(stopped?.caseTitle).toMatch(/\/[\w.-]+\.cjs$/);
  expect(stopped?.error).toContain('SyntaxError');
});

test.each<[string, string, ReportFormat, string]>([
  ['a document type', `<!DOCTYPE x>${report}`, 'junit-xml', 'DOCTYPE'],
  ['XML said to be JSON', report, 'jest-json', 'The file is XML'],
  ['JSON said to be XML', '{"testResults":[]}', 'junit-xml', 'The file is JSON'],
  ['JSON of something else', '{"a":1}', 'vitest-json', 'not a Vitest report'],
  ['XML without a test', '<testsuite/>', 'junit-xml', 'contains no tests'],
  ['JSON without a test', '{"testResults":[]}', 'jest-json', 'contains no tests'],
  ['XML that breaks off', '<testsuite><testcase name="a"/>', 'junit-xml', ''],
])('%s is refused with what was found', async (_, file, format, found) => {
  const { artifactId } = await uploaded(file);
  const refusal = await refusalOf(read(artifactId, format));
  expect(refusal).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { path: 'body.artifact' },
  });
  expect(refusal.message).toContain(found);
  expect(refusal.message).toMatch(/^[A-Z].*\.$/);
});

test('in another format than the URL was made for is refused', async () => {
  const { artifactId } = await uploaded(report, { format: 'junit-xml' });
  expect(await refusalOf(read(artifactId, 'jest-json'))).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { path: 'body.artifact.format' },
  });
});

test('before the file is there is a conflict', async () => {
  const { artifactId } = await mintUpload(service, mine);
  expect(await refusalOf(read(artifactId))).toMatchObject({ code: 'CONFLICT' });
});

test('finds nothing of another project, another organization, an expired or consumed or unknown one', async () => {
  const { artifactId } = await uploaded(report);
  const second = await call(`${service.baseUrl}/api/v1/projects`, {
    method: 'POST',
    key: mine.key,
    body: { name: 'Second' },
  });
  const gone = await uploaded(report);
  await expireArtifact(service, gone.artifactId);
  const consumed = await uploaded(report);
  const consume = () =>
    service.database.tenant([mine.organizationId], (sql) =>
      consumeArtifact(sql, consumed.artifactId, 'run_none'),
    );
  expect([await consume(), await consume()]).toEqual(['consumed', 'gone']);
  const refusals = [
    await refusalOf(read(artifactId, 'junit-xml', { ...mine, projectId: second.body.id })),
    await refusalOf(read(artifactId, 'junit-xml', theirs)),
    // A caller of another organization does not find the file, even with the correct project id.
    await refusalOf(read(artifactId, 'junit-xml', { ...theirs, projectId: mine.projectId })),
    await refusalOf(read(gone.artifactId)),
    await refusalOf(read(consumed.artifactId)),
    await refusalOf(read('art_none')),
    await refusalOf(read('art\u0000')),
  ];
  for (const refusal of refusals) expect(refusal.code).toBe('NOT_FOUND');
  expect(new Set(refusals.map((refusal) => refusal.message)).size).toBe(1);
  expect(await read(artifactId)).toEqual([
    {
      caseTitle: 'a::b',
      externalIterationId: 'a::b-0',
      status: 'completed',
      passed: true,
      durationMs: 500,
    },
  ]);
});

test('a large report leaves the service answering', async () => {
  const cases = '<testcase classname="suite.name" name="a test" time="0.01"/>'.repeat(200_000);
  const { artifactId } = await uploaded(`<testsuite>${cases}</testsuite>`);
  let state: 'loading' | 'reading' | 'read' = 'loading';
  const results = read(artifactId, 'junit-xml', mine, () => {
    state = 'reading';
  }).finally(() => {
    state = 'read';
  });
  const now = (): string => state;
  let answers = 0;
  let begun = 0;
  while (now() !== 'read') {
    expect((await call(`${service.baseUrl}/healthz`)).status).toBe(200);
    if (now() !== 'reading') continue;
    if (answers === 0) begun = performance.now();
    answers += 1;
  }
  expect(answers).toBeGreaterThan((performance.now() - begun) / 50);
  expect(await results).toHaveLength(200_000);
});

function sample(file: string): Buffer {
  return readFileSync(new URL(`../../../../outside/reports/samples/${file}`, import.meta.url));
}

function countsOf(results: readonly ReportResult[]): object {
  const count = (is: (result: ReportResult) => boolean) => results.filter(is).length;
  return {
    passed: count(({ status, passed }) => status === 'completed' && passed === true),
    failed: count(({ status, passed }) => status === 'completed' && passed === false),
    skipped: count(({ status, passed }) => status === 'skipped' && passed === undefined),
    stopped: count(({ status, passed }) => status === 'setup_failed' && passed === undefined),
  };
}
