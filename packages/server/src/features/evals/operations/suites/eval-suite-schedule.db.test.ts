import { makeId } from '@proofmark/domain';
import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { insertRun, insertTrialRows } from '@proofmark/harness/eval-rows.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];

function suiteBody(changes: object = {}) {
  const tests = [{ title: 'One', steps }];
  return { name: 'Weather', serverIds: [tenant.serverId], model: 'a/b', tests, ...changes };
}

async function makeSuite(changes: object = {}, key = tenant.key): Promise<string> {
  const made = await ask('POST', 'eval-suites', suiteBody(changes), key);
  expect(made.status, made.text).toBe(201);
  return made.body.suiteId;
}

async function edit(suiteId: string, body: object, path = '') {
  return ask('PATCH', `eval-suites/${suiteId}${path}`, body);
}

function refusal({ status, body }: { status: number; body: { details?: object } }) {
  const { path, reason } = (body.details ?? {}) as { path?: string; reason?: string };
  return [status, path, ...(reason === undefined ? [] : [reason])];
}

describe('a schedule', () => {
  const schedule = (suiteId: string, body: object) => edit(suiteId, body, '/schedule');

  test('starts one interval from now and stops', async () => {
    const suiteId = await makeSuite();
    expect(refusal(await schedule(suiteId, { enabled: true }))).toEqual([
      ...[400, 'body.intervalMinutes', 'SCHEDULE_INTERVAL_REQUIRED'],
    ]);
    const on = await schedule(suiteId, { enabled: true, intervalMinutes: 60 });
    const hourly = { intervalMinutes: 60, calendar: null, environmentId: null };
    expect(on.body.schedule).toEqual({
      enabled: true,
      ...hourly,
      nextRunAt: expect.any(Number),
      lastAttempt: null,
    });
    const next = async () => {
      const [row] = await service.owner.sql`
        select schedule_next_at as at, extract(epoch from schedule_next_at - now())::int as seconds
        from eval_suites where id = ${suiteId}`;
      return row;
    };
    expect(on.body.schedule.nextRunAt).toBe((await next())?.['at'].getTime());
    expect((await next())?.['seconds']).toBeGreaterThan(3500);
    expect((await next())?.['seconds']).toBeLessThanOrEqual(3600);
    const off = await schedule(suiteId, { enabled: false });
    expect(off.body.schedule).toMatchObject({ enabled: false, ...hourly, nextRunAt: null });
    expect((await next())?.['at']).toBeNull();
    const again = await schedule(suiteId, { enabled: true });
    expect(again.body.schedule).toMatchObject({ enabled: true, ...hourly });
  });

  test('has a calendar in place of an interval, and begins at its next time', async () => {
    const suiteId = await makeSuite();
    const daily = { kind: 'daily', time: '06:30', weekdays: ['mon'], timeZone: 'Asia/Tokyo' };
    const on = await schedule(suiteId, { enabled: true, calendar: daily });
    expect(on.body.schedule).toMatchObject({ intervalMinutes: null, calendar: daily });
    const next = new Date(on.body.schedule.nextRunAt);
    expect([next.getUTCDay(), next.toISOString().slice(11)]).toEqual([0, '21:30:00.000Z']);
    const [row] = await service.owner.sql`
      select schedule_next_at > now() and schedule_next_at <= now() + interval '7 days' as is_next
      from eval_suites where id = ${suiteId}`;
    expect(row?.['isNext']).toBe(true);
    const off = await schedule(suiteId, { enabled: false });
    expect(off.body.schedule).toMatchObject({ calendar: daily, nextRunAt: null });
    const hourly = await schedule(suiteId, { enabled: true, intervalMinutes: 60 });
    expect(hourly.body.schedule).toMatchObject({ intervalMinutes: 60, calendar: null });
    const cron = { kind: 'cron', expression: '15 */6 * * *' };
    const often = await schedule(suiteId, { enabled: true, calendar: cron });
    expect(often.body.schedule).toMatchObject({ intervalMinutes: null, calendar: cron });
    const readAgain = await ask('GET', `eval-suites/${suiteId}`);
    expect(readAgain.body.schedule).toEqual(often.body.schedule);
  });

  test.each([
    [{ enabled: true, intervalMinutes: 4 }, 'body.intervalMinutes'],
    [{ enabled: true, intervalMinutes: 10_081 }, 'body.intervalMinutes'],
    [{ enabled: true, intervalMinutes: 5.5 }, 'body.intervalMinutes'],
    [{ intervalMinutes: 60 }, 'body.enabled'],
    [{ enabled: false, environmentId: 'env_x' }, 'body.environmentId'],
    [{ enabled: true, intervalMinutes: 60, environmentId: 'env_x' }, 'body.environmentId'],
    [{ enabled: false, extra: 1 }, 'body.extra'],
    [{ enabled: true, calendar: { kind: 'daily', time: '25:00' } }, 'body.calendar.time'],
    [
      { enabled: true, calendar: { kind: 'cron', expression: '0 0 30 2 *' } },
      'body.calendar.expression',
    ],
    [
      { enabled: true, calendar: { kind: 'daily', time: '06:30', timeZone: 'Mars/Olympus' } },
      'body.calendar.timeZone',
    ],
    [
      { enabled: true, intervalMinutes: 60, calendar: { kind: 'daily', time: '06:30' } },
      'body.calendar',
    ],
  ])('%j is refused at %s', async (body, path) => {
    const answer = await schedule(await makeSuite(), body);
    expect([answer.status, answer.body.details.path]).toEqual([400, path]);
  });

  test('pins an environment where several are attached, and holds it while it is on', async () => {
    const suiteId = await makeSuite();
    const { environmentId: second } = await createEnvironment(service, tenant, unique('env'));
    const both = [tenant.environmentId, second];
    await edit(suiteId, { environmentIds: both });
    const interval = { enabled: true, intervalMinutes: 60 };
    expect(refusal(await schedule(suiteId, interval))).toEqual([
      ...[400, 'body.environmentId', 'SCHEDULE_ENVIRONMENT_PIN_REQUIRED'],
    ]);
    expect(
      refusal(await schedule(suiteId, { ...interval, environmentId: theirs.environmentId })),
    ).toEqual([...[400, 'body.environmentId', 'ENVIRONMENT_NOT_ATTACHED']]);
    const pinned = await schedule(suiteId, { ...interval, environmentId: second });
    expect(pinned.body.schedule.environmentId).toBe(second);
    for (const environmentIds of [[tenant.environmentId], null]) {
      expect(refusal(await edit(suiteId, { environmentIds }))).toEqual([
        ...[400, 'body.environmentIds', 'SCHEDULE_ENVIRONMENT_PINNED'],
      ]);
    }
    expect((await edit(suiteId, { environmentIds: [second] })).status).toBe(200);
    const off = await schedule(suiteId, { enabled: false });
    expect(off.body.schedule.environmentId).toBe(second);
    const detached = await edit(suiteId, { environmentIds: null });
    expect(detached.body.schedule.environmentId).toBeNull();
    await schedule(suiteId, { enabled: true });
    expect(refusal(await edit(suiteId, { environmentIds: both }))).toEqual([
      ...[400, 'body.environmentIds', 'SCHEDULE_ENVIRONMENT_PIN_REQUIRED'],
    ]);
  });
});

describe('deleting a suite', () => {
  test('is for its maker and for those who manage', async () => {
    const maker = await createMember(service, tenant, 'member', 'member');
    const other = await createMember(service, tenant, 'member', 'member');
    const manager = await createMember(service, tenant, 'member', 'manage');
    const [first, second] = [await makeSuite({}, maker.key), await makeSuite({}, maker.key)];
    const remove = (suiteId: string, key: string) =>
      ask('DELETE', `eval-suites/${suiteId}`, undefined, key);
    expect((await remove(first, other.key)).status).toBe(403);
    expect((await remove(first, maker.key)).body).toEqual({ id: first, deleted: true });
    expect((await remove(second, manager.key)).status).toBe(200);
    expect((await ask('GET', `eval-suites/${first}`)).status).toBe(404);
    expect((await remove(first, maker.key)).status).toBe(404);
  });

  test.each(['pending', 'running'])('waits for a run that is %s', async (status) => {
    const suiteId = await makeSuite();
    const place = { organizationId: tenant.organizationId, projectId: tenant.projectId, suiteId };
    const { runId } = await insertRun(service, place, { status, source: 'api', result: null });
    const answer = await ask('DELETE', `eval-suites/${suiteId}`);
    expect([answer.status, answer.body.details.reason]).toEqual([409, 'RUN_IN_PROGRESS']);
    await service.owner.sql`update eval_runs set status = 'cancelled' where id = ${runId}`;
    expect((await ask('DELETE', `eval-suites/${suiteId}`)).status).toBe(200);
    expect((await ask('GET', `eval-runs/${runId}`)).status).toBe(404);
  });

  test('waits for a reported run only for a day after the last that came of it', async () => {
    const suiteId = await makeSuite();
    const place = { organizationId: tenant.organizationId, projectId: tenant.projectId, suiteId };
    const remove = () => ask('DELETE', `eval-suites/${suiteId}`);
    const run = await insertRun(service, place, { status: 'running', result: null });
    const recent = await remove();
    expect([recent.status, recent.body.details.reason]).toEqual([409, 'RUN_IN_PROGRESS']);
    expect(recent.body.message).toContain('finalize it');
    const { sql } = service.owner;
    await sql`update eval_runs set created_at = now() - interval '25 hours' where id = ${run.runId}`;
    await insertTrialRows(service, run, [{}]);
    expect((await remove()).status).toBe(409);
    const longAgo = makeId('evalIteration', Date.now() - 25 * 60 * 60 * 1000, new Uint8Array(10));
    await sql`update eval_iterations set id = ${longAgo} where run_id = ${run.runId}`;
    expect((await remove()).status).toBe(200);
  });
});
