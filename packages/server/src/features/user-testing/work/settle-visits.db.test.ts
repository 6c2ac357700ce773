import { turnOf } from '@proofmark/harness/any-visits.ts';
import { storeVisit, type VisitToStore } from '@proofmark/harness/stored-visits.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecordedVisit } from '../store/settled-visits.ts';
import { settleVisits } from './settle-visits.ts';
import { defaultVisitTimes } from './visit-times.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'settled');
});
afterAll(() => service.stop());

const ago = (ms: number) => new Date(Date.now() - ms);
const minute = 60_000;
const day = 24 * 60 * minute;

const visit = (more: VisitToStore) => storeVisit(service, tenant, tenant, more);

interface Row {
  readonly status: string;
  readonly endedBy: string | null;
  readonly outcome: string | null;
  readonly isSettled: boolean;
}

async function read(id: string): Promise<Row | undefined> {
  const [row] = await service.owner.sql<Row[]>`
    select status, ended_by, outcome, settled_at is not null as is_settled from visitor_sessions where id = ${id}`;
  return row;
}

async function settle(times = defaultVisitTimes) {
  const errors: unknown[] = [];
  const log = { error: (...details: unknown[]) => void errors.push(details) };
  await settleVisits(service.database, log as never, times);
  expect(errors).toEqual([]);
}

async function waiting() {
  const [row] = await service.owner.sql<{ rows: number; isLater: boolean | null }[]>`
    select count(*)::integer as rows, bool_and(not_before > clock_timestamp() + interval '30 minutes') as is_later
    from leased_work where kind = 'window-mining' and group_id = ${tenant.scenarioId}`;
  return row;
}

test('a session is over when it ended or after ten minutes of silence, and ends after thirty', async () => {
  const booking = { evidence: turnOf([{ toolName: 'book' }]) };
  const fresh = await visit({
    status: 'active',
    lastActivityAt: ago(9 * minute),
    turns: [booking],
  });
  const silent = await visit({
    status: 'active',
    lastActivityAt: ago(11 * minute),
    turns: [booking],
  });
  const idle = await visit({
    status: 'active',
    lastActivityAt: ago(31 * minute),
    turns: [booking],
  });
  const ended = await visit({ turns: [booking] });
  const preview = await visit({ isPreview: true, turns: [booking] });
  await settle();
  const over = { isSettled: true, outcome: 'completed' };
  expect(await read(fresh)).toEqual({
    status: 'active',
    endedBy: null,
    outcome: null,
    isSettled: false,
  });
  expect(await read(silent)).toEqual({ ...over, status: 'active', endedBy: null });
  expect(await read(idle)).toEqual({ ...over, status: 'ended', endedBy: 'idle' });
  expect(await read(ended)).toMatchObject(over);
  expect(await read(preview)).toMatchObject({ isSettled: true, outcome: null });
});

test('one that cannot be ended keeps no other from being told of', async () => {
  const idle = await visit({ status: 'active', lastActivityAt: ago(31 * minute) });
  const over = await visit({});
  const errors: unknown[] = [];
  const log = { error: (...details: unknown[]) => void errors.push(details) };
  const { sql } = service.database;
  let isFirst = true;
  const tenantOnceAway: TestService['database']['tenant'] = async (...asked) => {
    if (!isFirst) return service.database.tenant(...asked);
    isFirst = false;
    throw new Error('A lock was not given.');
  };
  const database = { sql, tenant: tenantOnceAway } as TestService['database'];
  await settleVisits(database, log, defaultVisitTimes);
  expect(errors).toMatchObject([[{ sessionId: idle }, expect.any(String)]]);
  expect((await read(over))?.isSettled).toBe(true);
  await settle();
  expect((await read(idle))?.endedBy).toBe('idle');
});

test('one that goes on, or has a turn under way, is told of again and not before', async () => {
  const failing = { evidence: turnOf([{ toolName: 'book', failed: true }]) };
  const id = await visit({ status: 'active', lastActivityAt: ago(11 * minute), turns: [failing] });
  const busy = await visit({ status: 'active', lastActivityAt: ago(11 * minute) });
  const { sql } = service.owner;
  await sql`update visitor_turns set status = 'awaitingApproval' where session_id = ${busy}`;
  await settle();
  expect((await read(id))?.outcome).toBe('errored');
  expect((await read(busy))?.isSettled).toBe(false);
  await sql`update visitor_turns set evidence = ${JSON.stringify(turnOf([{ toolName: 'book' }]))}
    where session_id = ${id}`;
  await settle();
  expect((await read(id))?.outcome).toBe('errored');
  // Simulates a message that arrived after the outcome was determined: `settled_at` is before the
  // last activity.
  await sql`update visitor_sessions set settled_at = last_activity_at - interval '1 minute' where id = ${id}`;
  await settle();
  expect((await read(id))?.outcome).toBe('completed');
});

test('traces of a session are read one at a time, and what was said is kept for who asks', async () => {
  const id = await visit({ turns: [{}, {}, {}] });
  let mostTraces = 0;
  await service.database.tenant([tenant.organizationId], async (sql) => {
    const ask = async (...asked: Parameters<typeof sql<object[]>>) => {
      const rows = await sql<object[]>(...asked);
      mostTraces = Math.max(mostTraces, rows.filter((row) => 'trace' in row).length);
      return rows;
    };
    const counted = ask as unknown as Sql;
    expect(await readRecordedVisit(counted, id)).toMatchObject({
      messages: [],
      turns: [{}, {}, {}],
    });
    expect((await readRecordedVisit(counted, id, 'withMessages')).messages).toHaveLength(6);
  });
  expect(mostTraces).toBe(1);
});

test('what is over in a minute is looked through together', async () => {
  await service.owner.sql`delete from work_groups where kind = 'window-mining'`;
  const within = (miningDebounceMs: number) => ({ ...defaultVisitTimes, miningDebounceMs });
  await visit({});
  await settle(within(60 * minute));
  expect(await waiting()).toMatchObject({ rows: 1, isLater: true });
  await visit({});
  // A second ended session neither postpones the waiting mining nor starts it at once.
  await settle(within(0));
  expect(await waiting()).toMatchObject({ rows: 1, isLater: true });
});

test('old sessions go by age, a month after unpublishing, and silent ones after a day', async () => {
  const old = await visit({ lastActivityAt: ago(91 * day) });
  const kept = await visit({ lastActivityAt: ago(89 * day) });
  const empty = await visit({ turns: [], lastActivityAt: ago(2 * day) });
  const justOpened = await visit({ turns: [], lastActivityAt: ago(0.5 * day) });
  expect((await housekeeping(service.database)).oldVisits).toBe(2);
  const there = async (id: string) => (await read(id)) !== undefined;
  expect([await there(old), await there(empty)]).toEqual([false, false]);
  expect([await there(kept), await there(justOpened)]).toEqual([true, true]);
  const [line] = await service.owner.sql<{ details: unknown; accountEmail: string }[]>`
    select details, account_email from audit_log where action = 'scenario.sessionsForgotten'`;
  expect(line).toMatchObject({ accountEmail: 'retention' });
  await service.owner.sql`
    update scenarios set unpublished_at = ${ago(29 * day)} where id = ${tenant.scenarioId}`;
  expect((await housekeeping(service.database)).oldVisits).toBe(0);
  await service.owner.sql`
    update scenarios set unpublished_at = ${ago(31 * day)} where id = ${tenant.scenarioId}`;
  await housekeeping(service.database);
  const [left] = await service.owner.sql<{ count: number }[]>`
    select count(*)::integer as count from visitor_sessions where scenario_id = ${tenant.scenarioId}`;
  expect(left?.count).toBe(0);
});

test('grants of browsers that are not known any more go, and those of others stay', async () => {
  const { sql } = service.owner;
  const grant = async (visitorId: string, seenAt: Date) => {
    const cookieHash = Buffer.from(visitorId.padEnd(32, '.'));
    await sql`insert into visitors (id, cookie_hash, last_seen_at) values (${visitorId}, ${cookieHash}, ${seenAt})`;
    await sql`
      insert into scenario_grants (id, organization_id, project_id, scenario_id, visitor_id)
      values (${`grt_${visitorId}`}, ${tenant.organizationId}, ${tenant.projectId}, ${tenant.scenarioId}, ${visitorId})`;
  };
  await grant('vis_old', ago(31 * day));
  await grant('vis_new', ago(29 * day));
  expect(await housekeeping(service.database)).toMatchObject({ oldVisitors: 1 });
  const rows = await sql<{ id: string }[]>`
    select id from scenario_grants where id in ('grt_vis_old', 'grt_vis_new')`;
  expect(rows.map(({ id }) => id)).toEqual(['grt_vis_new']);
});
