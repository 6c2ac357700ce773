/**
 * Tests a connection to PostgreSQL that neither answers nor closes. Requests must fail within the
 * deadline, the service must report that it is not ready, and it must work again once new
 * connections succeed.
 */
import { randomUUID } from 'node:crypto';
import { type SilentProxy, startSilentProxy } from '@proofmark/harness/silent-proxy.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import {
  type Database,
  openDatabase,
} from '../../packages/server/src/platform/database/database.ts';
import { Heartbeat } from '../../packages/server/src/platform/database/heartbeat.ts';
import { isPassing } from '../../packages/server/src/platform/work/retry-while-database-is-away.ts';

/** Several times shorter than the service's deadlines, but long enough for a busy machine. */
const deadlines = { callMs: 1500, slowMs: 9000, connectMs: 800, beatEveryMs: 200, beatMs: 800 };
const patient = { ...deadlines, callMs: 60_000, slowMs: 60_000 };

const poll = { timeout: 10_000, interval: 50 };

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'silent');
});
afterAll(() => service.stop());

interface OwnProxy {
  readonly proxy: SilentProxy;
  readonly stops: (() => Promise<void>)[];
  readonly expect: TestContext['expect'];
}

async function startOwnProxy({ onTestFinished, expect }: TestContext): Promise<OwnProxy> {
  const proxy = await startSilentProxy(() => service.serviceUrl);
  const stops = [() => proxy.stop()];
  onTestFinished(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  return { proxy, stops, expect };
}

/**
 * Connects the heartbeat before the proxy goes silent, since only an existing connection can become
 * silent.
 */
async function startHeartbeat(
  { proxy, stops, expect }: OwnProxy,
  times: typeof deadlines,
): Promise<Heartbeat> {
  const name = `beat-${randomUUID()}`;
  const heartbeat = new Heartbeat(`${proxy.url}&application_name=${name}`, times);
  stops.push(() => heartbeat.close());
  const count = async () => {
    const rows = await service.owner.sql`
      select from pg_stat_activity where application_name like ${`${name}%`} and state = 'idle'`;
    return rows.count;
  };
  await expect.poll(count, poll).toBe(1);
  return heartbeat;
}

async function open(own: OwnProxy, times: typeof deadlines, watched: boolean): Promise<Database> {
  const heartbeat = watched ? await startHeartbeat(own, times) : undefined;
  const { vault } = service;
  const database = openDatabase({
    url: own.proxy.url,
    vault,
    as: 'service',
    deadlines: times,
    ...(heartbeat !== undefined && { heartbeat }),
  });
  own.stops.push(() => database.close());
  return database;
}

async function startApi({ stops }: Pick<OwnProxy, 'stops'>, database: Database) {
  const api = await service.another({ database });
  stops.push(() => api.stop());
  return {
    readyz: async () => (await call(`${api.baseUrl}/readyz`)).status,
    me: async () => (await call(`${api.baseUrl}/api/v1/me`, { key: tenant.key })).status,
    projects: async () =>
      (await call(`${api.baseUrl}/api/v1/projects`, { key: tenant.key })).status,
  };
}

describe.concurrent.each([
  ['by the deadline of each call', deadlines, false],
  ['by the heartbeat, long before any deadline', patient, true],
])('a silence that is found %s', (_how, times, watched) => {
  test('fails what waits, is told by /readyz, and ends with new connections', async (context) => {
    const own = await startOwnProxy(context);
    const { proxy, expect } = own;
    const database = await open(own, times, watched);
    const api = await startApi(own, database);
    await expect.poll(api.readyz, poll).toBe(200);
    expect([await api.me(), await api.projects()]).toEqual([200, 200]);
    proxy.goSilent();
    const waits = [
      database.sql`select 1`,
      database.callers`select 1`,
      database.tenant([tenant.organizationId], (sql) => sql`select 1 from projects`),
      database.transaction((sql) => sql`select 1`),
    ].map((wait) => Promise.resolve(wait).catch((error: unknown) => error));
    for (const error of await Promise.all(waits)) {
      expect(isPassing(error), String(error)).toBe(true);
    }
    await expect.poll(api.readyz, poll).toBe(503);
    expect(await api.me()).toBe(503);
    proxy.speakAgain();
    await expect.poll(api.me, poll).toBe(200);
    await expect.poll(api.projects, poll).toBe(200);
    await expect.poll(api.readyz, poll).toBe(200);
  });

  test('and that only the open connections keep', async (context) => {
    const own = await startOwnProxy(context);
    const { proxy, expect } = own;
    const database = await open(own, times, watched);
    const api = await startApi(own, database);
    expect(await api.projects()).toBe(200);
    proxy.silenceOpen();
    const answer = database.sql`select 1`.catch((error: unknown) => error);
    expect(isPassing(await answer)).toBe(true);
    await expect.poll(api.projects, poll).toBe(200);
    await expect.poll(api.readyz, poll).toBe(200);
  });
});

test.concurrent('a heartbeat whose own connection alone is silent ends no statement that PostgreSQL works on', async (context) => {
  const own = await startOwnProxy(context);
  const heartbeat = await startHeartbeat(own, patient);
  const { serviceUrl: url, vault } = service;
  const database = openDatabase({ url, vault, as: 'service', deadlines: patient, heartbeat });
  own.stops.push(() => database.close());
  await database.sql`select 1`;
  own.proxy.silenceOpen();
  expect(await database.sql`select pg_sleep(4)`).toHaveLength(1);
  expect(heartbeat.isSilent).toBe(false);
});

test.concurrent('a statement whose end nobody hears fails soon after PostgreSQL has ended it', async (context) => {
  const own = await startOwnProxy(context);
  const database = await open(own, patient, true);
  const failing = database.sql`select pg_sleep(3)`.catch((error: unknown) => error);
  await database.sql`select 1`;
  own.proxy.silenceOpen();
  expect(isPassing(await failing)).toBe(true);
});

test.concurrent('a connection that is silent alone is found by a heartbeat that hears all the time', async (context) => {
  const own = await startOwnProxy(context);
  const heartbeat = new Heartbeat(service.serviceUrl, patient);
  own.stops.push(() => heartbeat.close());
  const database = openDatabase({
    url: own.proxy.url,
    vault: service.vault,
    as: 'service',
    deadlines: patient,
    heartbeat,
  });
  own.stops.push(() => database.close());
  await database.transaction((sql) => sql`select 1`, 'slow');
  own.proxy.silenceOpen();
  const failing = database.transaction((sql) => sql`select 1`, 'slow');
  await expect(failing).rejects.toMatchObject({ code: 'CONNECTION_SILENT' });
  expect(heartbeat.isSilent).toBe(false);
  // A statement continues as long as PostgreSQL works on it.
  expect(await database.transaction((sql) => sql`select pg_sleep(4)`, 'slow')).toHaveLength(1);
});

test.concurrent('a statement that is marked slow has longer than others, on both sides', async (context) => {
  const own = await startOwnProxy(context);
  const database = await open(own, deadlines, false);
  const asleep = (sql: Database['sql']) => sql`select pg_sleep(2)`;
  await expect(database.transaction(asleep)).rejects.toMatchObject({ code: 'CONNECTION_SILENT' });
  expect(await database.transaction(asleep, 'slow')).toHaveLength(1);
  const limit = await database.transaction((sql) => sql`show statement_timeout`, 'slow');
  expect(limit).toEqual([{ statementTimeout: '9s' }]);
});

test.concurrent('a service whose connections for requests are all in use is ready as long as the database answers', async (context) => {
  const own = await startOwnProxy(context);
  const database = openDatabase({
    url: service.serviceUrl,
    vault: service.vault,
    as: 'service',
    maxConnections: 1,
  });
  own.stops.push(() => database.close());
  const api = await startApi(own, database);
  const held = database.transaction((sql) => sql`select pg_sleep(4)`, 'slow');
  expect(await api.readyz()).toBe(200);
  await held;
});

test.concurrent('whoever gets no connection in time fails, and nobody else', async (context) => {
  const own = await startOwnProxy(context);
  const database = openDatabase({
    url: service.serviceUrl,
    vault: service.vault,
    as: 'service',
    maxConnections: 1,
    deadlines,
  });
  own.stops.push(() => database.close());
  const held = database.transaction((sql) => sql`select pg_sleep(2)`, 'slow');
  await expect(database.sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_BUSY' });
  expect(await held).toHaveLength(1);
  expect(await database.sql`select 1`).toHaveLength(1);
});
