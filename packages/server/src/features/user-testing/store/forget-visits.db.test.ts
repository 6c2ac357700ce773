import { storeVisit } from '@proofmark/harness/stored-visits.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetVisits } from './forget-visits.ts';
import { insertWindow } from './windows.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'forgotten');
});
afterAll(() => service.stop());

const day = 24 * 60 * 60_000;
const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * day);

test('only windows that can hold a session are looked through for it', async () => {
  const { organizationId } = tenant;
  const session = await storeVisit(service, tenant, tenant, {
    startedAt: daysAgo(21),
    lastActivityAt: daysAgo(20),
  });
  const inTenant: TestService['database']['tenant'] = (_, work) =>
    service.database.tenant([organizationId], work);
  // Returns a window that ended this many days ago. The result of every window contains the session
  // id, so a window that loses it must have been searched.
  const window = (end: number) => ({
    id: `win_${end}`,
    windowStartAt: daysAgo(end + 7),
    windowEndAt: daysAgo(end),
    inputHash: 'hash',
    result: { candidates: [{ exemplarIds: [session], contrastIds: [] }] },
  });
  const ends = [22, 20.5, 19, 13.5, 12];
  await inTenant([], async (sql) => {
    for (const end of ends) await insertWindow(sql, tenant, window(end) as never);
    expect(await forgetVisits(sql, tenant.scenarioId, [session])).toEqual([session]);
  });
  const rows = await service.owner.sql<{ id: string }[]>`
    select id from scenario_windows where strpos(result, ${session}) > 0 order by id`;
  expect(rows.map(({ id }) => id)).toEqual(['win_12', 'win_22']);
});
