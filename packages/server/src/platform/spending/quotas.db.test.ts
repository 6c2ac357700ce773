import { noQuotas } from '@proofmark/domain';
import { createLauncher, hostedModel, weatherSteps as steps } from '@proofmark/harness/launcher.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureStorage } from '../../features/retention/store/stored-bytes.ts';
import type { Sql } from '../database/database.ts';
import { enterQuota } from './enter-quota.ts';
import { defaultRunLimits } from './run-limits.ts';

let service: TestService;
beforeAll(async () => {
  const runLimits = { ...defaultRunLimits, concurrentRuns: 100 };
  service = await startTestService({ runLimits });
});
afterAll(() => service.stop());

const newTenant = async () => {
  const tenant = await createTenant(service, unique('quota'));
  await service.owner.sql`
    delete from daily_counters where organization_id = ${tenant.organizationId}`;
  return tenant;
};
const plan = async (tenant: Tenant) => {
  const { ask } = createLauncher(service, tenant);
  return (await ask('GET', 'capabilities')).body.plan;
};
const trials = (tenant: Tenant, count: number) =>
  createLauncher(service, tenant).inline({
    tests: [{ title: 'Weather', steps, model: hostedModel, runs: count }],
  });
const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;

describe('trials of a day', () => {
  test('launches and reports have them together, and the refusal says what to do', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    const { ingest } = createReporter(service, tenant);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '5');
    expect((await ask('POST', 'eval-runs', trials(tenant, 3))).status).toBe(202);
    const report = { suiteName: 'Reported', externalRunId: 'one', results: [passing, failing] };
    expect((await ingest('report', report)).status).toBe(200);
    expect(await plan(tenant)).toMatchObject({
      limits: { trialsPerDay: 5, storedBytes: null, uploadBytesPerDay: null },
      used: { trialsPerDay: 5 },
      resetsAt: midnight,
    });

    for (const refused of [
      await ask('POST', 'eval-runs', trials(tenant, 1)),
      await ingest('report', { ...report, externalRunId: 'other', results: [passing] }),
    ]) {
      expect(refused.status).toBe(429);
      expect(refused.body.code).toBe('RATE_LIMITED');
      expect(refused.body.message).toContain('has used 5 of its 5 trials for today');
      expect(refused.body.details).toEqual({
        reason: 'DAILY_LIMIT',
        limit: 'trialsPerDay',
        allowedValue: 5,
        currentValue: 5,
        resetsAt: midnight,
      });
      const seconds = Number(refused.headers.get('retry-after'));
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400).toBe(true);
    }
    // A repeated report must not be counted again.
    const again = await ingest('report', report);
    expect(again.status, again.text).toBe(200);
    expect(again.body.reused).toBe(true);
    const wide = await ask('POST', 'eval-runs', trials(tenant, 6));
    expect(wide.status).toBe(403);
    expect(wide.headers.get('retry-after')).toBeNull();
    expect((await plan(tenant)).used.trialsPerDay).toBe(5);
  });

  test('batches count what they add, and a batch that is sent again is not refused', async () => {
    const tenant = await newTenant();
    const { ingest } = createReporter(service, tenant);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '2');
    const { runId } = (await ingest('runs/start', { suiteName: 'Batches' })).body;
    const batch = (...ids: string[]) =>
      ingest('runs/iterations', {
        runId,
        results: ids.map((id) => ({ ...passing, externalIterationId: id })),
      });
    expect((await batch('a', 'b')).body).toMatchObject({ inserted: 2 });
    expect((await batch('a', 'b')).body).toMatchObject({ inserted: 0, skipped: 2 });
    expect((await batch('b', 'c')).status).toBe(429);
    expect((await plan(tenant)).used.trialsPerDay).toBe(2);
  });

  test('of many at once exactly as many come through as there is room for', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    const { ingest } = createReporter(service, tenant);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '7');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? ask('POST', 'eval-runs', trials(tenant, 1))
          : ingest('report', { suiteName: `At once ${index}`, results: [passing] }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status < 300)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(13);
    const [stored] = await service.owner.sql<{ count: number }[]>`
      select count(*)::integer as count from eval_iterations join eval_runs on eval_runs.id = run_id
      where eval_iterations.organization_id = ${tenant.organizationId} and run_id <> ${tenant.runId}`;
    expect(stored?.count).toBe(7);
    expect((await plan(tenant)).used.trialsPerDay).toBe(7);
  });

  test('what was used yesterday does not count today', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '1');
    expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(202);
    expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(429);
    await service.owner.sql`
      update daily_counters set day = day - 1 where organization_id = ${tenant.organizationId}`;
    expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(202);
  });

  test('a launch that is answered from its key takes nothing', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '1');
    const body = { ...trials(tenant, 1), idempotencyKey: 'once' };
    expect((await ask('POST', 'eval-runs', body)).body.deduped).toBeUndefined();
    expect((await ask('POST', 'eval-runs', body)).body.deduped).toBe(true);
  });

  test('another organization has its own', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    await service.operator.setQuota(one.organizationId, 'trialsPerDay', '0');
    const refused = await createLauncher(service, one).ask('POST', 'eval-runs', trials(one, 1));
    expect(refused.status).toBe(403);
    expect(refused.body.details).toEqual({
      limit: 'trialsPerDay',
      allowedValue: 0,
      currentValue: 0,
    });
    expect(
      (await createLauncher(service, other).ask('POST', 'eval-runs', trials(other, 1))).status,
    ).toBe(202);
  });
});

describe('defaults of the settings', () => {
  test('hold where an organization has no word of its own, and none is a word', async () => {
    const quotas = { ...noQuotas, trialsPerDay: 0 };
    const bounded = await service.another({ runLimits: { ...defaultRunLimits, quotas } });
    try {
      const tenant = await newTenant();
      const here = { ...service, baseUrl: bounded.baseUrl };
      const { ask } = createLauncher(here, tenant);
      expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(403);
      await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', 'none');
      expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(202);
      await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', 'default');
      expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(403);
    } finally {
      await bounded.stop();
    }
  });
});

describe('without a quota', () => {
  test('trials and uploads are counted all the same, so a limit that is set later knows them', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    const { ingest } = createReporter(service, tenant);
    expect((await ask('POST', 'eval-runs', trials(tenant, 3))).status).toBe(202);
    const report = { suiteName: 'Counted', results: [passing, failing] };
    expect((await ingest('report', report)).status).toBe(200);
    const minted = await mintUpload(service, tenant);
    expect((await sendFile(minted.uploadUrl, 'a'.repeat(8))).status).toBe(200);
    const [shown] = await service.operator.readQuotas(tenant.organizationId);
    expect(shown?.quotas).toMatchObject([
      { name: 'storedBytes', allowed: null },
      { name: 'trialsPerDay', allowed: null, used: 5 },
      { name: 'uploadBytesPerDay', allowed: null, used: 8 },
    ]);
    await service.operator.setQuota(tenant.organizationId, 'trialsPerDay', '5');
    expect((await ask('POST', 'eval-runs', trials(tenant, 1))).status).toBe(429);
  });

  test('a report, a batch and an upload do not ask for one', async () => {
    const tenant = await newTenant();
    const { ingest } = createReporter(service, tenant);
    const { runId } = (await ingest('runs/start', { suiteName: 'Unbounded' })).body;
    let count = 0;
    const statuses = async () => {
      count += 1;
      const results = [{ ...passing, externalIterationId: String(count) }];
      const minted = await mintUpload(service, tenant).catch(() => undefined);
      return [
        (await ingest('report', { suiteName: 'Unbounded', results })).status,
        (await ingest('runs/iterations', { runId, results })).status,
        minted && (await sendFile(minted.uploadUrl, 'abc')).status,
      ];
    };
    // With the table renamed, reading the quotas fails.
    await service.owner.sql`alter table organization_sizes rename to sizes_elsewhere`;
    try {
      expect(await statuses()).toEqual([200, 200, 200]);
      await service.owner.sql`
        insert into organization_quotas (organization_id, name, allowed)
        values (${tenant.organizationId}, 'trialsPerDay', 5)`;
      expect(await statuses()).toEqual([500, 500, undefined]);
    } finally {
      await service.owner.sql`alter table sizes_elsewhere rename to organization_sizes`;
    }
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

test('a quota that is raised while something is written holds for it', async () => {
  const { organizationId } = await newTenant();
  const { database, operator } = service;
  await operator.setQuota(organizationId, 'trialsPerDay', '1');
  const enter = (sql: Sql) =>
    enterQuota(sql, { organizationId, hasQuotas: true }, noQuotas, 'trialsPerDay', 1);
  await database.tenant([organizationId], async (sql) => {
    const late = await enter(sql);
    await database.tenant([organizationId], async (other) => (await enter(other)).count());
    await operator.setQuota(organizationId, 'trialsPerDay', '2');
    await late.count();
  });
  const [row] = await service.owner.sql<{ used: string }[]>`
    select used from daily_counters where organization_id = ${organizationId}`;
  expect(Number(row?.used)).toBe(2);
});

describe('uploads of a day', () => {
  test('count by their bytes when they come, and are refused before they travel', async () => {
    const tenant = await newTenant();
    await service.operator.setQuota(tenant.organizationId, 'uploadBytesPerDay', '10');
    const [first, second] = [await mintUpload(service, tenant), await mintUpload(service, tenant)];
    expect((await sendFile(first.uploadUrl, 'a'.repeat(8))).status).toBe(200);
    const refused = await sendFile(second.uploadUrl, 'abc');
    expect(refused.status).toBe(429);
    expect(refused.body['details']).toMatchObject({
      limit: 'uploadBytesPerDay',
      allowedValue: 10,
      currentValue: 8,
    });
    expect((await plan(tenant)).used.uploadBytesPerDay).toBe(8);
    // The refused upload has not consumed its one-time URL, which therefore still works.
    expect((await sendFile(second.uploadUrl, 'ab')).status).toBe(200);
    await expect(mintUpload(service, tenant)).rejects.toThrow('RATE_LIMITED');
    await expect(mintUpload(service, tenant, { sizeBytes: 11 })).rejects.toThrow('FORBIDDEN');
  });

  test('of several at once as many come through as there is room for', async () => {
    const tenant = await newTenant();
    await service.operator.setQuota(tenant.organizationId, 'uploadBytesPerDay', '10');
    const minted = await Promise.all([1, 2, 3, 4].map(() => mintUpload(service, tenant)));
    const sent = await Promise.all(minted.map(({ uploadUrl }) => sendFile(uploadUrl, 'abcd')));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  });
});

describe('stored bytes', () => {
  test('are measured, and refuse what adds to them while all else goes on', async () => {
    const tenant = await newTenant();
    const { ask } = createLauncher(service, tenant);
    const { ingest } = createReporter(service, tenant);
    const long = { ...failing, trace: { messages: [{ role: 'user', content: text(60_000) }] } };
    const report = { suiteName: 'Large', externalRunId: 'large', results: [long] };
    const { runId, suiteId } = (await ingest('report', report)).body;
    const start = { suiteName: 'Started', externalRunId: 'started', notes: text(9000) };
    const started = (await ingest('runs/start', start)).body;
    const upload = await mintUpload(service, tenant);
    expect((await plan(tenant)).used.storedBytes).toBe(0);
    await measureStorage(service.database, 'recent');
    const { storedBytes } = (await plan(tenant)).used;
    expect(storedBytes).toBeGreaterThan(20_000);
    expect(storedBytes).toBeLessThan(100_000);

    await service.operator.setQuota(tenant.organizationId, 'storedBytes', '20000');
    const other = { ...report, externalRunId: 'other' };
    for (const refused of [
      await ask('POST', 'eval-runs', trials(tenant, 1)),
      await ingest('report', other),
      await ingest('runs/start', { ...start, externalRunId: 'another' }),
      await ingest('runs/start', { suiteName: 'Of its own', notes: start.notes }),
      await sendFile(upload.uploadUrl, 'abc'),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.body['details']).toEqual({
        reason: 'STORAGE_LIMIT',
        limit: 'storedBytes',
        allowedValue: 20_000,
        currentValue: storedBytes,
      });
    }
    expect((await ingest('report', report)).status).toBe(200);
    const again = await ingest('runs/start', start);
    expect(again.body).toMatchObject({ runId: started.runId, reused: true });
    expect((await ask('GET', `eval-runs/${runId}`)).status).toBe(200);

    // The space of deleted data counts as free once sizes have been measured again.
    expect((await ask('DELETE', `eval-suites/${suiteId}`)).status).toBe(200);
    await measureStorage(service.database, 'recent');
    expect((await plan(tenant)).used.storedBytes).toBeLessThan(20_000);
    expect((await ingest('report', other)).status).toBe(200);
  });

  test('a run is measured again when it has changed, an old one by the look at all', async () => {
    const tenant = await newTenant();
    const { ingest } = createReporter(service, tenant);
    const { runId } = (await ingest('runs/start', { suiteName: 'Grows' })).body;
    const size = async () => {
      const [row] = await service.owner.sql<{ trials: number; traces: number; bytes: number }[]>`
        select trials, traces, bytes::float8 as bytes from run_sizes where run_id = ${runId}`;
      return row;
    };
    await measureStorage(service.database, 'recent');
    const empty = await size();
    expect(empty).toMatchObject({ trials: 0, traces: 0 });
    await ingest('runs/iterations', { runId, results: [passing, failing] });
    await service.owner.sql`
      update eval_runs set created_at = created_at - interval '9 days' where id = ${runId}`;
    await measureStorage(service.database, 'recent');
    expect(await size()).toEqual(empty);
    await measureStorage(service.database, 'all');
    const grown = await size();
    expect(grown).toMatchObject({ trials: 2, traces: 1 });
    expect(grown?.bytes).toBeGreaterThan((empty?.bytes ?? 0) + 500);
    expect(await measureStorage(service.database, 'all')).toBe(0);
  });
});

describe('setting a quota', () => {
  test('is in the audit log', async () => {
    const tenant = await newTenant();
    await service.operator.setQuota(tenant.organizationId, 'storedBytes', '100');
    const [line] = await service.operator.readAuditLog({
      organization: tenant.organizationId,
      kind: 'organization.quotaChanged',
      limit: 5,
    });
    expect(line).toMatchObject({
      callerKind: 'operator',
      subjectId: tenant.organizationId,
      details: { quota: 'storedBytes', state: '100' },
    });
  });

  test.each([
    ['trials', '5', /There is no quota trials; the quotas are storedBytes, trialsPerDay/],
    ['trialsPerDay', '-5', /A quota must be a whole number/],
    ['trialsPerDay', 'many', /A quota must be a whole number/],
  ])('%s to %s is refused', async (name, limit, reason) => {
    const tenant = await newTenant();
    await expect(service.operator.setQuota(tenant.organizationId, name, limit)).rejects.toThrow(
      reason,
    );
  });
});

function text(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
