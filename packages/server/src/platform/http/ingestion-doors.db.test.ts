import { allOperations, type Operation } from '@proofmark/contract';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'mine');
  other = await createTenant(service, 'theirs');
});
afterAll(() => service.stop());

describe('an older address', () => {
  const older = (path: string, body: object, key: string | undefined = tenant.key) =>
    call(`${service.baseUrl}/sdk/v1/evals/${path}`, {
      method: 'POST',
      body,
      ...(key !== '' && { key }),
    });
  const defaultProjectOf = async ({ key, organizationId }: Tenant) => {
    const [row] = await service.owner.sql<{ id: string }[]>`
      select id from projects where organization_id = ${organizationId} and is_default`;
    const read = createReporter(service, { key, projectId: row?.id ?? '' }).read;
    return { id: row?.id, read };
  };

  test('takes a report for the Default project of the key, and says where it belongs', async () => {
    for (const one of [tenant, other]) {
      const report = { suiteName: unique('Older'), results: [passing, failing] };
      const answer = await older('report', report, one.key);
      expect(answer.status, answer.text).toBe(200);
      const project = await defaultProjectOf(one);
      expect(answer.body).toMatchObject({ ok: true, projectId: project.id, result: 'failed' });
      expect(answer.headers.get('deprecation')).toBe('true');
      expect(answer.headers.get('link')).toBe(
        '</api/v1/projects/default/eval-ingest/report>; rel="successor-version"',
      );
      expect((await project.read(`eval-runs/${answer.body.runId}`)).status).toBe(200);
    }
  });

  test('takes a run in batches, and a file', async () => {
    const started = await older('runs/start', { suiteName: unique('Batches') });
    const { runId } = started.body;
    const batch = { runId, results: [{ ...passing, externalIterationId: 'a' }] };
    expect((await older('runs/iterations', batch)).body).toMatchObject({ inserted: 1 });
    expect((await older('runs/iterations', batch)).body).toMatchObject({ skipped: 1 });
    expect((await older('runs/finalize', { runId })).body).toMatchObject({ result: 'passed' });
    const { uploadUrl } = (await older('artifacts/upload-url', {})).body;
    const uploaded = await fetch(uploadUrl, { method: 'POST', body: '<testsuites/>' });
    expect(await uploaded.json()).toEqual({ storageId: expect.stringMatching(/^art_/) });
  });

  test('has the same door: no key, a key of another scope, another body, another method', async () => {
    const report = { suiteName: 'Older', results: [passing] };
    expect((await older('report', report, '')).status).toBe(401);
    const { key } = await service.operator.createKey(
      ...(['owner@mine.example', tenant.organizationId, 'looks on'] as const),
      { scope: 'read-only' },
    );
    expect(await older('report', report, key)).toMatchObject({
      status: 403,
      body: { details: { reason: 'KEY_SCOPE' } },
    });
    expect(await older('report', { results: [passing] })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path: 'body.suiteName' } },
    });
    const url = `${service.baseUrl}/sdk/v1/evals/report`;
    expect((await call(url, { key: tenant.key })).status).toBe(404);
  });

  test('is there for every row that takes results, and for no other', () => {
    const rows: readonly Operation[] = allOperations;
    for (const { ingestion, olderAddress, path } of rows) {
      expect(olderAddress).toBe(
        ingestion && path.replace('/projects/{projectId}/eval-ingest', '/sdk/v1/evals'),
      );
    }
  });
});

describe('the limit of ingestion', () => {
  const narrow = { perMinute: 1, burst: 2 };
  const statuses = async (limits: object, count: number) => {
    const limited = await service.another({ rateLimit: narrow, ...limits });
    try {
      const { key } = await service.operator.createKey(
        ...(['owner@mine.example', tenant.organizationId, unique('job')] as const),
      );
      const { ingest, read } = createReporter(limited, { ...tenant, key });
      const all: { reports: number[]; reads: number[] } = { reports: [], reads: [] };
      for (let at = 0; at < count; at += 1) {
        const report = { suiteName: 'Limited', results: [passing] };
        all.reports.push((await ingest('report', report)).status);
      }
      for (let at = 0; at < count; at += 1) all.reads.push((await read('eval-suites')).status);
      return all;
    } finally {
      await limited.stop();
    }
  };

  test('is that of all calls where none is set: both take from one bucket', async () => {
    expect(await statuses({}, 3)).toEqual({ reports: [200, 200, 429], reads: [429, 429, 429] });
  });

  test('has a bucket of its own, and leaves the other alone', async () => {
    const wider = { ingestionRateLimit: { perMinute: 1, burst: 3 } };
    expect(await statuses(wider, 4)).toEqual({
      reports: [200, 200, 200, 429],
      reads: [200, 200, 429, 429],
    });
    expect(await statuses({ ingestionRateLimit: 'off' }, 4)).toEqual({
      reports: [200, 200, 200, 200],
      reads: [200, 200, 429, 429],
    });
  });
});
