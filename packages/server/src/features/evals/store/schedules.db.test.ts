import type { ScheduleCalendar } from '@proofmark/domain';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enqueueDueCalendars, enqueueDueSchedules } from './schedules.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.owner.sql`delete from graphile_worker._private_jobs`;
  await service.owner.sql`update eval_suites set schedule_enabled = false`;
});

const berlin: ScheduleCalendar = { kind: 'daily', time: '02:30', timeZone: 'Europe/Berlin' };

async function scheduled(nextAt: string, calendar: unknown = berlin): Promise<string> {
  const id = unique('ste');
  await service.owner.sql`
    insert into eval_suites (id, organization_id, project_id, name, schedule_enabled, schedule_calendar, schedule_next_at)
    values (${id}, ${tenant.organizationId}, ${tenant.projectId}, ${id}, true, ${JSON.stringify(calendar)},
      ${new Date(nextAt)})`;
  return id;
}

const enqueueAt = (now: string) => enqueueDueCalendars(service.database, new Date(now));

const jobs = async () => {
  const rows = await service.owner.sql<{ suite: string; tick: string }[]>`
    select payload ->> 'suiteId' as suite, payload ->> 'tick' as tick from graphile_worker._private_jobs order by id`;
  return rows.map(({ suite, tick }) => [suite, new Date(Number(tick)).toISOString()]);
};

async function nextOf(suiteId: string): Promise<string | undefined> {
  const [row] = await service.owner.sql<{ at: Date }[]>`
    select schedule_next_at as at from eval_suites where id = ${suiteId}`;
  return row?.at.toISOString();
}

test('A calendar starts one job at its time, and the next time is that of its zone', async () => {
  const suiteId = await scheduled('2026-10-25T00:30Z');
  expect(await enqueueAt('2026-10-25T00:29:59.999Z')).toBe(0);
  expect(await enqueueAt('2026-10-25T00:30Z')).toBe(1);
  expect(await jobs()).toEqual([[suiteId, '2026-10-25T00:30:00.000Z']]);
  // The clocks of Berlin show half past two again, and are an hour later from then on.
  expect(await nextOf(suiteId)).toBe('2026-10-26T01:30:00.000Z');
  expect(await enqueueAt('2026-10-25T01:30Z')).toBe(0);
});

test('Of many that ask at once, one starts the job', async () => {
  await scheduled('2026-05-01T00:30Z');
  const found = await Promise.all(Array.from({ length: 8 }, () => enqueueAt('2026-05-01T00:31Z')));
  expect(found.reduce((sum, one) => sum + one)).toBe(1);
  expect(await jobs()).toHaveLength(1);
});

test('Times that passed while the service was down start one job', async () => {
  const suiteId = await scheduled('2026-05-01T00:30Z');
  expect(await enqueueAt('2026-05-09T12:00Z')).toBe(1);
  expect(await jobs()).toEqual([[suiteId, '2026-05-01T00:30:00.000Z']]);
  expect(await nextOf(suiteId)).toBe('2026-05-10T00:30:00.000Z');
  expect(await enqueueAt('2026-05-09T12:01Z')).toBe(0);
});

test.each([
  ['a zone', { ...berlin, timeZone: 'Mars/Olympus' }],
  ['a kind', { kind: 'moon' }],
])(
  'A calendar with %s that this version does not know is postponed, and the suite shows it',
  async (_title, calendar) => {
    const suiteId = await scheduled('2026-05-01T00:30Z', calendar);
    await enqueueAt('2026-05-01T00:31Z');
    expect(await jobs()).toEqual([]);
    const [row] = await service.owner.sql`
    select schedule_error_code as code, schedule_next_at > now() as is_later from eval_suites where id = ${suiteId}`;
    expect(row).toMatchObject({ code: 'INTERNAL_ERROR', isLater: true });
  },
);

test('The clock is that of the database, and more are due than one transaction takes', async () => {
  const { sql } = service.owner;
  await sql`
    insert into eval_suites (id, organization_id, project_id, name, schedule_enabled, schedule_calendar, schedule_next_at)
    select 'many ' || number, ${tenant.organizationId}, ${tenant.projectId}, 'Many', true, ${JSON.stringify(berlin)},
      now() + case when number <= 401 then interval '-1 minute' else interval '1 minute' end
    from generate_series(1, 405) as number`;
  expect(await enqueueDueSchedules(service.database)).toBe(401);
  expect(await enqueueDueSchedules(service.database)).toBe(0);
  const [row] = await sql`
    select count(*)::integer as next from eval_suites where name = 'Many' and schedule_next_at > now()`;
  expect(row?.['next']).toBe(405);
});
