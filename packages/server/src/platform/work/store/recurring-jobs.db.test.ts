import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import { addDueJobs } from './recurring-jobs.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.owner.sql`delete from graphile_worker._private_jobs`;
  await service.owner.sql`update recurring_jobs set last_at = clock_timestamp()`;
});
afterEach(() => {
  vi.useRealTimers();
});
const waiting = async () => {
  const rows = await service.owner.sql<{ key: string }[]>`
    select key from graphile_worker._private_jobs order by key`;
  return rows.map(({ key }) => key);
};

test('each is added when its time has come, and by one of all who ask', async () => {
  expect(await addDueJobs(service.database.sql)).toBe(0);
  await service.owner.sql`update recurring_jobs set last_at = last_at - every * 2`;
  const added = await Promise.all(
    Array.from({ length: 8 }, () => addDueJobs(service.database.sql)),
  );
  expect(added.reduce((sum, one) => sum + one)).toBe(4);
  expect(await waiting()).toEqual([
    ...['housekeeping', 'launch-schedules', 'measure-storage', 'settle-reservations'],
  ]);
  expect(await addDueJobs(service.database.sql)).toBe(0);
});

test('a last time that lies ahead holds nothing up', async () => {
  await service.owner.sql`update recurring_jobs set last_at = last_at + interval '1 day'`;
  expect(await addDueJobs(service.database.sql)).toBe(4);
});

test.each([
  ['a day ahead', 86_400_000],
  ['an hour behind', -3_600_000],
])('a worker whose clock is %s launches what is due, and nothing else', async (name, shiftMs) => {
  const { sql } = service.owner;
  const suite = (id: string, minutes: number) => sql`
    insert into eval_suites (id, organization_id, project_id, name, schedule_enabled, schedule_interval_minutes,
      schedule_next_at)
    values (${`${id} ${name}`}, ${tenant.organizationId}, ${tenant.projectId}, ${id}, true, 600,
      now() + make_interval(mins => ${minutes}))`;
  await suite('due', -1);
  await suite('later', 30);
  await sql`update recurring_jobs set last_at = last_at - interval '2 minutes'`;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shiftMs });
  const egress = { allowLoopback: true, allowedPrivateHosts: [] };
  const models = createModelGateway({ egress });
  const worker = await startTestWorker(service, models);
  try {
    const attempted = async () => {
      const rows = await sql<{ name: string; isNow: boolean }[]>`
        select name, abs(extract(epoch from schedule_attempted_at - clock_timestamp())) < 60 as is_now
        from eval_suites where id like ${`% ${name}`} and schedule_attempted_at is not null`;
      return rows.map((row) => ({ ...row }));
    };
    await expect.poll(attempted, { timeout: 20_000 }).toEqual([{ name: 'due', isNow: true }]);
  } finally {
    await worker.stop();
    await models.close();
  }
});
