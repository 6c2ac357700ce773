/**
 * Every expiry follows the clock of the database. A process with a wrong clock neither prolongs nor
 * ends any access.
 */
import { randomBytes } from 'node:crypto';
import { makeId, maxWaiverMs } from '@proofmark/domain';
import {
  call,
  createSignInLink,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());
afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['a day ahead', 86_400_000],
  ['an hour behind', -3_600_000],
])('for a process whose clock is %s', (_, shiftMs) => {
  let nowMs: number;
  beforeEach(async () => {
    // Fakes only the date; timers are unchanged.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shiftMs });
    const [row] = await service.owner.sql<{ now: Date }[]>`select clock_timestamp() as now`;
    nowMs = (row as { now: Date }).now.getTime();
    expect(Math.abs(Date.now() - nowMs)).toBeGreaterThan(1_800_000);
  });

  test('a waiver is granted, in force, over and revoked when it is', async () => {
    const url = await waiversOfFailedRun();
    const create = (expiresAt: number) =>
      call(url, { method: 'POST', key: tenant.key, body: { expiresAt, reason: 'Known outage' } });
    const read = async () => (await call(url, { key: tenant.key })).body.waiver;
    for (const expiresAt of [nowMs - 1000, nowMs + maxWaiverMs + 60_000]) {
      expect((await create(expiresAt)).body).toMatchObject({
        details: { path: 'body.expiresAt' },
      });
    }
    const { waiver } = (await create(nowMs + 1_800_000)).body;
    expect(waiver).toMatchObject({ active: true });
    expect(Math.abs(waiver.createdAt - nowMs)).toBeLessThan(60_000);
    expect(await read()).toMatchObject({ active: true });
    const revoked = await call(`${url}/${waiver.id}`, { method: 'DELETE', key: tenant.key });
    expect(Math.abs(revoked.body.waiver.revokedAt - nowMs)).toBeLessThan(60_000);
    await service.owner.sql`
      update gate_waivers set revoked_at = null, revoked_by = null, expires_at = now() - interval '1 second'
      where id = ${waiver.id}`;
    expect(await read()).toBeNull();
  });

  test('a link and a session last until their end, and no longer', async () => {
    const redeem = async () => {
      const { token, expiresAt } = await createSignInLink(service.database, tenant.accountId);
      expect(expiresAt.getTime()).toBeGreaterThan(nowMs);
      return () =>
        call(`${service.baseUrl}/console/v1/session/link`, {
          method: 'POST',
          headers: { origin: service.baseUrl },
          body: { token },
        });
    };
    expect((await (await redeem())()).status).toBe(200);
    const late = await redeem();
    await service.owner.sql`update sign_in_links set expires_at = now() - interval '1 second'`;
    expect((await late()).status).toBe(401);

    const headers = await signInAs(service, tenant.accountId);
    const me = () => call(`${service.baseUrl}/api/v1/me`, { headers });
    await service.owner.sql`update sessions set expires_at = now() + interval '30 minutes'`;
    expect((await me()).status).toBe(200);
    await service.owner.sql`update sessions set expires_at = now() - interval '1 second'`;
    expect((await me()).status).toBe(401);
  });
});

async function waiversOfFailedRun(): Promise<string> {
  const [suiteId, runId] = (['evalSuite', 'evalRun'] as const).map((kind) =>
    makeId(kind, Date.now(), randomBytes(10)),
  ) as [string, string];
  const { sql } = service.owner;
  const place = { organization_id: tenant.organizationId, project_id: tenant.projectId };
  await sql`insert into eval_suites ${sql({ id: suiteId, ...place, name: suiteId })}`;
  const snapshot = JSON.stringify({ terms: { minimumPassRate: 80 }, servers: [] });
  await sql`insert into eval_runs ${sql({
    id: runId,
    ...place,
    suite_id: suiteId,
    run_number: 1,
    source: 'sdk',
    snapshot,
    status: 'completed',
    result: 'failed',
  })}`;
  return `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/gate-waivers`;
}
