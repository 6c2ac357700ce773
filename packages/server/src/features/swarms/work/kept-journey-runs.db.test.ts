import { keepEverything } from '@proofmark/domain';
import { criterionOf } from '@proofmark/harness/any-sessions.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { type RunToStore, type StoredRun, storeRun } from '@proofmark/harness/stored-wave.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import { measureStorage } from '../../retention/store/stored-bytes.ts';
import { applyRetention } from '../../retention/work/apply-retention.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await createTenant(service, unique('kept'));
  await service.owner.sql`update organizations set swarms = true`;
});

const messages = [{ role: 'user', content: 'Hello, what does the blue lamp cost?' }];
const rubric = [criterionOf('crt_1', { type: 'noToolErrors' })];

async function storeOld(days: number, run: Partial<RunToStore> = {}): Promise<StoredRun> {
  const stored = await storeRun(service, tenant, {
    waveId: unique('wave'),
    sessions: [{ messages }, { messages }],
    ...run,
  });
  await service.owner.sql`
    update journey_runs set created_at = now() - make_interval(days => ${days}),
      completed_at = now() - make_interval(days => ${days})
    where id = ${stored.runId}`;
  return stored;
}

async function runsLeft(): Promise<string[]> {
  const rows = await service.owner.sql<{ id: string }[]>`
    select id from journey_runs where organization_id = ${tenant.organizationId} order by created_at`;
  return rows.map(({ id }) => id);
}

async function countOf(table: string): Promise<number> {
  const { sql } = service.owner;
  const rows =
    await sql`select from ${sql(table)} where organization_id = ${tenant.organizationId}`;
  return rows.count;
}

const keep = (kind: string, rule: string) =>
  service.operator.setRetention(tenant.organizationId, kind, rule);
const apply = () => applyRetention(service.database, keepEverything);

test('runs go by the rule of runs, with sessions, traces, waves and work; what is still graded stays', async () => {
  const graded = await storeOld(50, { snapshot: { rubric } });
  await storeOld(40);
  const newest = await storeOld(1);
  expect(await apply()).toMatchObject({ runs: 0, traces: 0 });
  await keep('runs', '30d');
  const [preview] = await service.operator.previewRetention(tenant.organizationId);
  expect(preview).toMatchObject({ goes: { runs: { count: 1 } }, spared: { open: 1 } });
  expect(await apply()).toMatchObject({ runs: 1 });
  expect(await runsLeft()).toEqual([graded.runId, newest.runId]);
  expect([await countOf('swarm_sessions'), await countOf('swarm_traces')]).toEqual([4, 4]);
  // These work groups remain: two gradings of the run that is kept, one for each session, and the
  // mining of the newest run's wave.
  expect(await countOf('work_groups')).toBe(3);
  const [line] = await service.owner.sql<{ details: string }[]>`
    select details::text from audit_log
    where organization_id = ${tenant.organizationId} and action = 'organization.retentionApplied'`;
  expect(line?.details).toContain('1 run of journeys with 2 sessions');
});

test('the newest that was played stays, however old it is', async () => {
  await storeOld(60);
  const played = await storeOld(50);
  await storeOld(40, { sessions: [{ errorCode: 'provider_failed' }] });
  await keep('runs', '1d');
  expect(await apply()).toMatchObject({ runs: 2 });
  expect(await runsLeft()).toEqual([played.runId]);
});

test('traces go by the rule of traces; what sessions came to stays', async () => {
  const ask = projectCaller(service, tenant);
  const old = await storeOld(3);
  const newest = await storeOld(1);
  const traceOf = ({ runId, sessionIds }: StoredRun) =>
    ask('GET', `journey-runs/${runId}/sessions/${sessionIds[0]}/trace`);
  await keep('traces', '1');
  expect((await traceOf(old)).status).toBe(200);
  expect(await apply()).toMatchObject({ runs: 0, traces: 2 });
  const gone = await traceOf(old);
  expect([gone.status, gone.body.details.reason]).toEqual([404, 'TRACE_NOT_AVAILABLE']);
  expect((await traceOf(newest)).status).toBe(200);
  expect((await ask('GET', `journey-runs/${old.runId}/sessions`)).body.items).toHaveLength(2);
  expect(await apply()).toMatchObject({ traces: 0 });
});

test('what sessions and their traces take counts as room of the organization, and goes with them', async () => {
  const bytesOf = async () => {
    await measureStorage(service.database, 'all');
    const [row] = await service.owner.sql<{ bytes: number }[]>`
      select bytes::float8 as bytes from organization_sizes where organization_id = ${tenant.organizationId}`;
    return row?.bytes ?? Number.NaN;
  };
  const empty = await bytesOf();
  const content = Array.from({ length: 4000 }, () => unique('')).join(' ');
  await storeOld(9, { sessions: [{ messages: [{ role: 'user', content }] }] });
  const full = await bytesOf();
  expect(full - empty).toBeGreaterThan(10_000);
  await storeOld(1);
  await keep('runs', '1');
  await apply();
  expect(await bytesOf()).toBeLessThan(full);
});

test('work that is over goes, and what is to be done stays', async () => {
  const { sessionIds } = await storeOld(1, { snapshot: { rubric } });
  await service.owner.sql`
    update work_groups set is_over = true where id = ${sessionIds[0] as string}`;
  await housekeeping(service.database);
  const left = await service.owner.sql<{ id: string }[]>`
    select id from work_groups
    where organization_id = ${tenant.organizationId} and kind = 'journey-gradings'`;
  expect(left.map(({ id }) => id)).toEqual([sessionIds[1]]);
});

test('work on swarms that nobody takes says for how long it waits', async () => {
  await storeOld(1, { snapshot: { rubric } });
  await storeOld(1);
  await service.owner.sql`update work_groups set added_at = now() - interval '1 hour'`;
  const rows = await service.owner.sql<{ kind: string; longestWaitSeconds: number }[]>`
    select kind, longest_wait_seconds from work_load()`;
  for (const kind of ['journey-gradings', 'wave-mining']) {
    const row = rows.find((one) => one.kind === kind);
    expect(row?.longestWaitSeconds).toBeGreaterThanOrEqual(3600);
  }
});
