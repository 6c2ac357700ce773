/** A session that ends while a mining is running is not lost: another mining covers it. */
import { storeVisit } from '@proofmark/harness/stored-visits.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import { claimWork, completeWork, holdWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/work/worker-parts.ts';
import { windowMiningKind } from '../work/mine-windows.ts';
import { settleVisits } from '../work/settle-visits.ts';
import { defaultVisitTimes } from '../work/visit-times.ts';
import { askToMine, lockWindows, windowMiningWork } from './windows.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'asked');
});
afterAll(() => service.stop());
beforeEach(() => service.owner.sql`delete from work_groups where kind = ${windowMiningWork}`);

const inTenant: TestService['database']['tenant'] = (_, work) =>
  service.database.tenant([tenant.organizationId], work);
const ask = () => inTenant([], (sql) => askToMine(sql, tenant, 0));
const claim = async () => (await claimWork(service.database.sql, windowMiningWork, 5, 60_000))[0];

test('what waits is not begun before the session is there for good', async () => {
  await ask();
  const early = await inTenant([], async (sql) => {
    await askToMine(sql, tenant, 0);
    return claim();
  });
  expect(early).toBeUndefined();
  expect(await claim()).toMatchObject({ groupId: tenant.scenarioId });
});

test('a look that is under way comes to its end, and another comes behind it', async () => {
  await ask();
  for (let round = 0; round < 3; round += 1) {
    const work = await claim();
    if (work === undefined) throw new Error('Nothing is to be done.');
    // Two sessions request a mining now. The running mining may have read its sessions before these
    // two ended.
    await ask();
    await ask();
    expect(await claim()).toBeUndefined();
    const outcome = await inTenant([], async (sql) => {
      const held = await holdWork(sql, work, [{ held: work, madeProgress: false }]);
      expect(held).toEqual([true]);
      return completeWork(sql, work);
    });
    expect(outcome).toBe('left');
  }
  const [kept] = await service.owner.sql`
    select count(*)::integer as rows from leased_work where kind = ${windowMiningWork}`;
  expect(kept).toEqual({ rows: 2 });
});

test('what is over is tidied away, what waits is not', async () => {
  const left = async () => {
    await housekeeping(service.database);
    const [row] = await service.owner.sql<{ groups: number }[]>`
      select count(*)::integer as groups from work_groups where kind = ${windowMiningWork}`;
    return row?.groups;
  };
  await ask();
  expect(await left()).toBe(1);
  const work = await claim();
  await inTenant([], async (sql) => work && completeWork(sql, work));
  expect(await left()).toBe(0);
});

test('a look that waits for an erasure does not hold what a session that is over asks for', async () => {
  await storeVisit(service, tenant, tenant);
  const log = { warn: () => undefined, error: () => undefined };
  await settleVisits(service.database, log, { ...defaultVisitTimes, miningDebounceMs: 0 });
  const work = await claim();
  if (work === undefined) throw new Error('Nothing is to be done.');
  const { signal } = new AbortController();
  const mining = await service.owner.transaction(async (sql) => {
    await lockWindows(sql, tenant.scenarioId);
    const { database } = service;
    const { run } = windowMiningKind({ database, log } as unknown as WorkerDependencies, 1);
    const over = run(work, { signal, stopping: signal } as WorkAttempt);
    await untilWaiting(sql, 1);
    const free = await sql`
      select from leased_work where kind = ${windowMiningWork} and group_id = ${tenant.scenarioId}
      for update skip locked`;
    expect(free.count).toBe(1);
    return { over };
  });
  expect(await mining.over).toBe('completed');
  const windows = await service.owner.sql`
    select from scenario_windows where scenario_id = ${tenant.scenarioId}`;
  expect(windows.count).toBe(1);
});
