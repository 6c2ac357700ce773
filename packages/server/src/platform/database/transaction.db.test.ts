import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Sql } from './database.ts';

let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await createTestDatabase();
  const { vault } = store.database;
  // With only one connection, the next statement must use the connection of the transaction.
  database = openDatabase({ url: store.url, vault, as: 'owner', maxConnections: 1 });
  await database.sql`create table written (id text primary key)`;
});
beforeEach(async () => void (await database.sql`truncate written`));
afterAll(async () => {
  await database.close();
  await store.drop();
});

const rows = async () => (await database.sql`select id from written`).length;

describe('a statement that fails beside others', () => {
  const after = async (sql: Sql, turns: number): Promise<void> => {
    if (turns === 0) await sql`select 1`;
    else await after(sql, turns - 1);
  };

  test.each([0, 1, 2, 3, 4])(
    'leaves nothing behind, and a connection for the next, after %i turns',
    async (turns) => {
      const both = database.transaction((sql) =>
        Promise.all([
          after(sql, turns).then(() => sql`insert into written values ('late')`),
          sql`select 1 / 0`,
        ]),
      );
      await expect(both).rejects.toThrow('division by zero');
      expect(await rows()).toBe(0);
    },
  );

  test('leaves nothing behind where the others go on much later', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const both = database.transaction((sql) => {
      late = new Promise((resolve) => setTimeout(resolve, 50)).then(
        () => sql`insert into written values ('late')`,
      );
      late.catch(() => undefined);
      return Promise.all([late, sql`select 1 / 0`]);
    });
    await expect(both).rejects.toThrow('division by zero');
    await expect(late).rejects.toThrow(
      'Internal fault: a statement was sent after its transaction had ended.',
    );
    expect(await rows()).toBe(0);
  });

  test('is told, though nobody waited for it', async () => {
    const failing = database.transaction(async (sql) => {
      await sql`insert into written values ('x')`;
      sql`select 1 / 0 from pg_sleep(0.1)`.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'committed';
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await rows()).toBe(0);
  });
});

test('a statement that says nothing shifts no answer', async () => {
  const answers = await database.transaction((sql) =>
    Promise.all([sql`select 1 as a`, sql`-- nothing`, sql`select 2 as b`]),
  );
  expect(answers.map((answer) => [...answer])).toEqual([[{ a: 1 }], [], [{ b: 2 }]]);
});

test('whoever waits for a connection is not given one that PostgreSQL has just ended', async () => {
  const ended = database.sql`select pg_terminate_backend(pg_backend_pid())`;
  const next = database.sql`select 1 as a`;
  await expect(ended).rejects.toMatchObject({
    code: expect.stringMatching(/^(57P01|CONNECTION_)/),
  });
  expect([...(await next)]).toEqual([{ a: 1 }]);
});

test('dates and bytes are read alike, whatever the database has set', async () => {
  const name = new URL(store.url).pathname.slice(1);
  await database.sql.unsafe(`
    alter database ${name} set DateStyle = 'German'; alter database ${name} set bytea_output = 'escape'`);
  const { vault } = store.database;
  const other = openDatabase({ url: store.url, vault, as: 'owner', maxConnections: 1 });
  try {
    const [row] =
      await other.sql`select timestamptz '2026-02-03T00:00:00Z' as at, decode('ff00', 'hex') as bytes`;
    expect(row?.['at']).toEqual(new Date('2026-02-03T00:00:00Z'));
    expect(row?.['bytes']).toEqual(Buffer.from([255, 0]));
  } finally {
    await other.close();
  }
});
