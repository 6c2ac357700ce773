/** Tests limits on the content and the target of reports. A rejected report stores nothing. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@proofmark/domain';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../../../../../tests/journeys/send-raw.ts';

let service: TestService;
let tenant: Tenant;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
let stranger: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'ingest');
  stranger = await createTenant(service, 'stranger');
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

describe('who and where', () => {
  test('default is the Default project of the key’s organization, and a projectId in the body says nothing', async () => {
    const other = await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: tenant.key,
      body: { name: unique('Other') },
    });
    const answer = await ingest(
      'report',
      { suiteName: 'Default', projectId: other.body.id, results: [passing] },
      { project: 'default' },
    );
    expect(answer.status, answer.text).toBe(200);
    const [row] = await service.owner
      .sql`select is_default from projects where id = ${answer.body.projectId}`;
    expect(row?.['isDefault']).toBe(true);
    expect(
      (await call(`${service.baseUrl}/api/v1/projects/default/eval-suites`, { key: tenant.key }))
        .status,
    ).toBe(404);
  });

  test('a member may report; another organization finds neither project nor run', async () => {
    const member = await createMember(service, tenant, 'member', 'member');
    const own = await ingest(
      'report',
      { suiteName: 'Member', results: [passing] },
      { key: member.key },
    );
    expect(own.status).toBe(200);
    expect(
      (await ingest('report', { suiteName: 'X', results: [passing] }, { key: stranger.key }))
        .status,
    ).toBe(404);
    const foreign = { key: stranger.key, project: stranger.projectId };
    expect(
      (await ingest('runs/iterations', { runId: own.body.runId, results: [passing] }, foreign))
        .status,
    ).toBe(404);
    expect((await ingest('runs/finalize', { runId: own.body.runId }, foreign)).status).toBe(404);
  });
});

describe('what is refused', () => {
  test.each<[string, string, object, string]>([
    ['report', 'no suite name', { results: [passing] }, 'body.suiteName'],
    ['report', 'a blank suite name', { suiteName: ' ', results: [passing] }, 'body.suiteName'],
    ['report', 'no results', { suiteName: 'S' }, 'body.results'],
    ['report', 'empty results', { suiteName: 'S', results: [] }, 'body.results'],
    [
      'report',
      'both results and artifact',
      { suiteName: 'S', results: [passing], artifact: { artifactId: 'a', format: 'junit-xml' } },
      'body.results',
    ],
    [
      'report',
      'a trial that does not say whether it passed',
      { suiteName: 'S', results: [{ caseTitle: 'x' }] },
      'body.results[0].passed',
    ],
    [
      'report',
      'two different ids of a case',
      { suiteName: 'S', results: [{ ...passing, caseId: 'a', externalCaseId: 'b' }] },
      'body.results[0].externalCaseId',
    ],
    [
      'report',
      'a percent over 100',
      { suiteName: 'S', passCriteria: { minimumPassRate: 101 }, results: [passing] },
      'body.passCriteria.minimumPassRate',
    ],
    [
      'report',
      'a percent where a fraction belongs',
      { suiteName: 'S', verdictPolicy: { passThreshold: 80 }, results: [passing] },
      'body.verdictPolicy.passThreshold',
    ],
    [
      'runs/start',
      'a host configuration without its hash',
      { suiteName: 'S', hostConfig: {} },
      'body.hostConfigHash',
    ],
    [
      'runs/start',
      'a hash that is not of the host configuration',
      { suiteName: 'S', hostConfig: {}, hostConfigHash: 'ff' },
      'body.hostConfigHash',
    ],
    ['runs/iterations', 'no run', { results: [passing] }, 'body.runId'],
    [
      'runs/iterations',
      'a host configuration after the start',
      { runId: 'run_x', results: [passing], hostConfig: {} },
      'body.hostConfig',
    ],
    ['runs/finalize', 'no run', {}, 'body.runId'],
  ])('%s with %s', async (path, _title, body, at) => {
    const before = await countRuns();
    const answer = await ingest(path, body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: { path: at } });
    expect(await countRuns()).toBe(before);
  });

  test('a body that is too large writes nothing', async () => {
    const before = await countRuns();
    const large = await ingest('report', {
      suiteName: 'L',
      results: [{ ...passing, trace: 'x'.repeat(5 * 1024 * 1024) }],
    });
    expect(large.status).toBe(400);
    expect(large.body.details.limitBytes).toBe(5 * 1024 * 1024);
    expect(await countRuns()).toBe(before);
  });

  test.each([
    ['by its length', (body: string) => `Content-Length: ${body.length}\r\n\r\n`],
    [
      'in chunks',
      (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
    ],
  ])(
    'a report announced %s that breaks off writes nothing, and the service lives on',
    async (_title, frame) => {
      const before = await countRuns();
      const body = JSON.stringify({ suiteName: 'Half', results: [passing, passing] });
      const head =
        `POST /api/v1/projects/${tenant.projectId}/eval-ingest/report HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
      const cut = [1, body.length / 2, body.length - 1].map((length) => body.slice(0, length));
      // Each connection ends after `waitMs`, before the rest of the body is sent.
      const answers = await Promise.all(
        cut.map((part) => sendRaw(service.baseUrl, head + frame(body) + part, { waitMs: 300 })),
      );
      expect(answers.map(({ answers }) => answers)).toEqual([0, 0, 0]);
      expect(await countRuns()).toBe(before);
      expect((await ingest('report', JSON.parse(body))).status).toBe(200);
      expect(await countRuns()).toBe(before + 1);
    },
  );

  test('a run id of nobody, a foreign end', async () => {
    expect(
      (await ingest('runs/iterations', { runId: 'run_none', results: [passing] })).status,
    ).toBe(404);
    const { body: start } = await ingest('runs/start', {
      suiteName: 'End',
      externalRunId: unique('end'),
    });
    expect(
      (await ingest('runs/finalize', { runId: start.runId, externalRunId: 'other' })).status,
    ).toBe(409);
  });
});

test('a body of four megabytes is taken', async () => {
  const answer = await ingest('report', {
    suiteName: 'Large',
    results: [{ ...passing, trace: 'x'.repeat(4_000_000) }],
  });
  expect(answer.status, answer.text).toBe(200);
});

test('unknown fields are passed over, and a host configuration with its hash is kept', async () => {
  const hostConfig = { modelId: 'm', b: 1, a: [true, null] };
  const hostConfigHash = createHash('sha256').update(canonicalJson(hostConfig)).digest('hex');
  const answer = await ingest('runs/start', {
    suiteName: 'Open',
    somethingNew: 1,
    hostConfig,
    hostConfigHash,
  });
  expect(answer.status, answer.text).toBe(200);
});

test('any text a tool may print is stored and shown', async () => {
  const error = 'red \u001b[31m nul \u0000 half \ud800 end';
  const answer = await ingest('report', {
    suiteName: 'Text \u0000',
    notes: 'n\u0000',
    results: [
      {
        caseTitle: 't \u0000',
        passed: false,
        error,
        trace: { messages: [{ role: 'user', content: error }] },
        actualToolCalls: [{ toolName: 'x', arguments: { a: '\u0000' } }],
      },
    ],
  });
  expect(answer.status, answer.text).toBe(200);
  const [trial] = (await read(`eval-runs/${answer.body.runId}/iterations`)).body.items;
  expect(trial.error).toBe('red \u001b[31m nul \uFFFD half \uFFFD end');
  expect(trial.actualToolCalls[0].arguments.a).toBe('\u0000');
  const trace = await read(`eval-runs/${answer.body.runId}/iterations/${trial.id}/trace`);
  expect(trace.body.messages[0].content).toBe(error);
});

test('credentials in replay configurations are dropped: they reach no row, answer or log', async () => {
  const answer = await ingest('report', {
    suiteName: 'Secrets',
    serverReplayConfigs: [
      {
        serverId: 'srv_1',
        url: `http://x.example/?k=${canary}`,
        accessToken: canary,
        refreshToken: canary,
        clientSecret: canary,
      },
    ],
    results: [passing],
  });
  expect(answer.status).toBe(200);
  const rows = await service.owner
    .sql`select eval_runs::text as row from eval_runs where id = ${answer.body.runId}`;
  expect(rows[0]?.['row']).toContain('srv_1');
  expect(rows[0]?.['row']).not.toContain(canary);
  expect(answer.text + service.logLines.join('')).not.toContain(canary);
});

async function countRuns(): Promise<number> {
  const [row] = await service.owner.sql`select count(*)::integer as count from eval_runs`;
  return row?.['count'] as number;
}
