import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { expect, type TestContext, test } from 'vitest';
import { listProjectIds, startWriteLoad } from '../journeys/write-load.ts';

/**
 * Starts a separate service, since the test cuts its database connections while other tests run.
 */
async function startOwn({ onTestFinished }: TestContext): Promise<TestService> {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  return service;
}

test.concurrent('connections that are cut in the middle of transactions cost their requests alone', async (context) => {
  const service = await startOwn(context);
  const tenant = await createTenant(service, 'lost');
  const load = startWriteLoad(service.baseUrl, tenant.key);
  let cut = 0;
  for (let round = 0; round < 12; round += 1) {
    await load.untilAcknowledged(8);
    // Waits until each cut connection has ended, so that no cut affects the next part.
    const gone = await service.owner.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
    cut += gone.count;
  }
  await load.untilAcknowledged(8);
  await load.stop();

  expect(cut).toBeGreaterThan(0);
  expect(load.unanswered).toEqual([]);
  for (const { status, body } of load.refused) {
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { requestId: expect.any(String) },
    });
  }
  const present = await listProjectIds(service.baseUrl, tenant.key);
  expect(load.acknowledged.filter((id) => !present.has(id))).toEqual([]);
});

test.concurrent('an idle connection that is lost leaves a long transaction on another one alone', async (context) => {
  const { database, owner } = await startOwn(context);
  // A statement beside an open transaction needs a second connection; both are idle afterwards.
  await database.transaction(async (sql) => {
    await sql`select 1`;
    await database.sql`select 1`;
  });
  const read = await database.transaction(async (sql) => {
    await sql`select 1`;
    const gone = await owner.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`;
    expect(gone.count).toBeGreaterThan(0);
    // The sleep is longer than a pool would keep its other connections open if the whole pool were
    // replaced.
    await sql`select pg_sleep(6)`;
    return sql`select 'committed' as state`;
  });
  expect(read).toEqual([{ state: 'committed' }]);
});
