/**
 * Every process that works on the data holds a shared lock. A restore locks the data exclusively.
 * When the restore ends, waiting processes get the lock without a message.
 */
import { hostname } from 'node:os';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '@proofmark/harness/test-database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dataUsers, lockDataForRestore, tryToLockData } from '../backup/lock-data-for-restore.ts';
import { DataLock } from './data-lock.ts';
import { claimInstallation } from './installation.ts';

let database: TestDatabase;
const holds: DataLock[] = [];
const clients: pg.Client[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(holds.splice(0).map((hold) => hold.release()));
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

async function restorer(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

/** Holds the lock, and releases it when a restore requests it, as every process does. */
async function hold(): Promise<{ asked: Promise<void> }> {
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const held = await DataLock.take({ url: database.url, asked: isAsked });
  holds.push(held);
  return { asked: asked.then(() => held.release()) };
}

test('who holds the data is named, and one who dies holds it no more', async () => {
  const client = await restorer();
  await hold();
  await hold();
  const holder = `process ${process.pid} on ${hostname()}`;
  expect(await dataUsers(client)).toEqual([holder, holder]);
  expect(await tryToLockData(client)).toEqual(await dataUsers(client));
  await Promise.all(holds.splice(0).map((held) => held.release()));
  expect(await tryToLockData(client)).toBeUndefined();
});

test('all who hold it are asked and let go, and who comes meanwhile waits until the restore is gone', async () => {
  const [one, other] = [await hold(), await hold()];
  const client = await restorer();
  await Promise.all([lockDataForRestore(client), one.asked, other.asked]);
  let waits = 0;
  const later = DataLock.take({
    url: database.url,
    waits() {
      waits += 1;
    },
  });
  await expect.poll(() => waits).toBe(1);
  expect(await dataUsers(client)).toEqual([]);
  client.connection.stream.destroy();
  clients.splice(0);
  holds.push(await later);
  expect(await dataUsers(await restorer())).toHaveLength(1);
});

test('one that lost its connection to a restore is asked while that is under way', async () => {
  const { asked } = await hold();
  const client = await restorer();
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like '% hold %'`);
  await lockDataForRestore(client);
  await asked;
  expect(await dataUsers(client)).toEqual([]);
});

test('the data is held on the same connection while its tables are yet to be made', async () => {
  const empty = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  const held = await DataLock.take({ url: empty.url });
  const holders = async () =>
    (
      await client.query(`select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`)
    ).rows;
  try {
    const first = await holders();
    const looks = new Set<string>();
    const look = async () => {
      const { rows } = await client.query(`
        select query_start::text as at from pg_stat_activity
        where datname = current_database() and application_name like '% hold %' and query like '%epoch%'`);
      for (const { at } of rows) looks.add(at);
      return looks.size;
    };
    await expect.poll(look, { timeout: 5000 }).toBeGreaterThan(1);
    expect(first).toHaveLength(1);
    expect(await holders()).toEqual(first);
  } finally {
    await held.release();
    await client.end();
    await empty.drop();
  }
});

test('two restores do not share the data', async () => {
  const [first, second] = [await restorer(), await restorer()];
  await hold();
  await Promise.all([lockDataForRestore(first), ...holds.map((held) => held.release())]);
  await expect(lockDataForRestore(second)).rejects.toThrow('Another restore');
});

test('one that lost its connection holds the data again, and is asked if it was replaced meanwhile', async () => {
  let isAsked = false;
  const { asked } = await hold();
  void asked.then(() => {
    isAsked = true;
  });
  const client = await restorer();
  const cut = () =>
    client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like '% hold %'`);
  // pg_stat_activity lists a cut connection for a while. Only the new connection runs its check
  // after `now`, so the poll waits for exactly one such connection.
  const looksAgain = async () => {
    const now = await client.query('select clock_timestamp()::text as now');
    const looked = () =>
      client.query(
        `select from pg_stat_activity where datname = current_database() and application_name like '% hold %'
          and state = 'idle' and query like '%epoch%' and query_start > $1`,
        [now.rows[0].now],
      );
    await expect.poll(async () => (await looked()).rowCount, { timeout: 10_000 }).toBe(1);
  };
  await looksAgain();
  // The first start stores the first epoch, an id that every restore changes. No earlier epoch is
  // replaced, so this must not look like a restore.
  await claimInstallation(database.owner);
  await cut();
  await looksAgain();
  expect(await dataUsers(client)).toHaveLength(1);
  expect(isAsked).toBe(false);
  await cut();
  await database.owner.sql`update installation set epoch = 'another'`;
  await asked;
});
