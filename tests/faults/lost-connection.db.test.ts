/** The database may drop its connections at any moment: requests fail in the error shape, the process lives on, and nothing acknowledged is lost. */

import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProjectIds, startWriteLoad } from '../journeys/write-load.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'lost');
});
afterAll(() => service.stop());

test('connections that are cut in the middle of transactions cost their requests alone', async () => {
  const load = startWriteLoad(service.baseUrl, tenant.key);
  let cut = 0;
  for (let round = 0; round < 12; round += 1) {
    await load.untilAcknowledged(8);
    // Waits until each of them has ended, so that no cut is still under way when the next part begins.
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
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { requestId: expect.any(String) },
    });
  }
  const present = await listProjectIds(service.baseUrl, tenant.key);
  expect(load.acknowledged.filter((id) => !present.has(id))).toEqual([]);
});
