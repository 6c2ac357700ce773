import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import type { Sql } from './sql.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
  await store.owner.sql.unsafe(`
    create table things (id integer primary key, name text, flag boolean, bytes bytea, at timestamptz,
      texts text[], document jsonb, big bigint);
    grant all on things to public`);
});
afterAll(() => store.drop());

describe('a statement', () => {
  test('brings every kind of value there and back', async () => {
    const { sql } = store.database;
    const at = new Date('2026-01-02T03:04:05.678Z');
    const kept = {
      id: 1,
      name: 'a "name"',
      flag: false,
      bytes: Buffer.from([0, 1, 255]),
      at,
      texts: ['a', 'b,c'],
      big: 2n ** 53n + 1n,
    };
    await sql`insert into things ${sql({ ...kept, document: sql.json({ a: [1] }) })}`;
    expect(await sql`select * from things where id = ${1}`).toEqual([
      { ...kept, big: '9007199254740993', document: { a: [1] } },
    ]);
    await sql`update things set ${sql({ name: null, flag: true })} where id = ${1}`;
    expect(await sql`select name, flag as is_flagged from things where flag = ${true}`).toEqual([
      { name: null, isFlagged: true },
    ]);
    await expect(sql`select ${undefined as never}`.then()).rejects.toThrow('undefined');
  });

  test('is put together from pieces, and asks nothing before somebody waits for it', async () => {
    const { sql } = store.database;
    const rows = [2, 3, 4].map((id) => ({ id, name: `thing ${id}` }));
    const added = await sql`insert into things ${sql(rows)} on conflict do nothing`;
    expect(added.count).toBe(3);
    sql`delete from things`;
    const some = sql`${sql('id')} in ${sql(['2', '4'])} and name like ${'thing%'}`;
    const found = await sql<{ id: number }[]>`select id from things where ${some} order by id`;
    expect([found.count, found.map(({ id }) => id)]).toEqual([2, [2, 4]]);
    expect(await sql.written('select $2::text || $1 as both', ['b', 'a'])).toEqual([
      { both: 'ab' },
    ]);
  });

  test('that failed can be asked again on the same connection', async () => {
    const alone = openDatabase({
      ...store,
      url: store.serviceUrl,
      as: 'service',
      maxConnections: 1,
    });
    try {
      const { sql } = alone;
      const divide = (by: number) => sql`select 1 / ${by}::integer as result`;
      await expect(divide(0).then()).rejects.toMatchObject({ code: '22012' });
      expect(await divide(1)).toEqual([{ result: 1 }]);
      await expect(divide(0).then()).rejects.toMatchObject({ code: '22012' });
      await expect(sql`select nothing`.then()).rejects.toMatchObject({ code: '42703' });
      expect(await divide(1)).toEqual([{ result: 1 }]);
    } finally {
      await alone.close();
    }
  });
});

test('a table that is altered under way costs a statement nothing, and a transaction one attempt', async () => {
  const alone = openDatabase({ ...store, url: store.serviceUrl, as: 'service', maxConnections: 1 });
  try {
    const { sql } = store.owner;
    await sql.unsafe('create table altered (a integer); grant all on altered to public');
    const read = (by: Sql) => by`select * from altered`;
    await read(alone.sql);
    await sql`alter table altered add column b integer`;
    expect(await read(alone.sql)).toEqual([]);
    await sql`alter table altered add column c integer`;
    await expect(alone.transaction(read)).rejects.toMatchObject({ code: '0A000' });
    expect(await alone.transaction(read)).toEqual([]);
  } finally {
    await alone.close();
  }
});

describe('a transaction', () => {
  test('answers statements that are asked together each with its own', async () => {
    const answers = await store.database.transaction((sql) =>
      Promise.all([1, 2, 3, 4, 5].map((number) => sql`select ${number}::integer as number`)),
    );
    expect(answers.flat().map((row) => row['number'])).toEqual([1, 2, 3, 4, 5]);
  });

  test('ends with the statement that failed, also when that was caught, and its connection goes on', async () => {
    const insert = (sql: Sql, id: number) => sql`insert into things (id) values (${id})`;
    const both = store.database.transaction(async (sql) => {
      await insert(sql, 100);
      const [, second] = await Promise.allSettled([insert(sql, 100), insert(sql, 101)]);
      expect(second).toMatchObject({ reason: { code: '25P02' } });
      return 'done';
    });
    await expect(both).rejects.toMatchObject({ code: '23505' });
    expect(await store.database.sql`select 1 from things where id >= 100`).toHaveLength(0);
    await expect(
      store.database.transaction(async (sql) => {
        await insert(sql, 102);
        throw new Error('No.');
      }),
    ).rejects.toThrow('No.');
    expect(await store.database.sql`select 1 from things where id >= 100`).toHaveLength(0);
  });

  test('is over when it is over', async () => {
    const kept = await store.database.transaction(async (sql) => [sql] as const);
    await expect(kept[0]`select 1`.then()).rejects.toThrow('had ended');
  });

  test('reads rows in parts, with other statements in between', async () => {
    await store.database.transaction(async (sql) => {
      const parts: number[][] = [];
      const rows = sql<{ number: number }[]>`
        select number::integer from generate_series(1, ${7}::integer) as number`;
      for await (const part of rows.cursor(3)) {
        parts.push(part.map(({ number }) => number));
        expect(await sql`select 'between' as here`).toEqual([{ here: 'between' }]);
      }
      expect(parts).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
      for await (const _ of sql`select generate_series(1, 9)`.cursor(3)) break;
      expect(await sql`select 1 as after`).toEqual([{ after: 1 }]);
    });
  });
});

test('every kind of work is known to PostgreSQL by its name, beside that of the operator', async () => {
  const url = new URL(store.serviceUrl);
  url.searchParams.set('application_name', 'inventory');
  const named = openDatabase({ url: url.href, vault: store.vault, as: 'service', kind: 'work' });
  const name = (sql: Sql) => sql`show application_name`;
  try {
    expect(await Promise.all([named.sql, named.callers, store.owner.sql].map(name))).toEqual(
      ['inventory work', 'inventory callers', 'proofmark operator'].map((applicationName) => [
        { applicationName },
      ]),
    );
  } finally {
    await named.close();
  }
});
