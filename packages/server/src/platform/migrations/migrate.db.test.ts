import { idMonths } from '@proofmark/domain';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { migrations } from './list.ts';
import { latestMigration, MigrationRefused, migrate, migrateWithin } from './migrate.ts';

const chain = [
  ...migrations.slice(0, 1),
  { name: 'second', sql: 'create table second (id text); create table in_the_way (id text)' },
  { name: 'third', sql: 'alter table second add column name text' },
];

const everything = `
  select 'column ' || table_name || '.' || column_name as line from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema')
  union all select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_'
  union all select 'done ' || number || name from proofmark.migrations
  union all select 'account ' || id from proofmark.accounts order by line`;

const open: { drop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  open.push(database);
  return database.url;
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const result = await connect(url, (client) => client.query(statement));
  // For several statements the driver returns a list of results. The last one is returned here.
  return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
}

describe('migrating', () => {
  test('four processes that start together apply each migration once', async () => {
    const url = await emptyDatabase();
    const reports = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    expect(reports.flatMap((report) => report.applied)).toHaveLength(latestMigration);
    const ledger = await query(url, 'select number from proofmark.migrations order by number');
    expect(ledger.map((row) => row['number'])).toEqual(
      Array.from({ length: latestMigration }, (_, at) => at + 1),
    );
  });

  test('again does nothing, and a half-way database goes on from where it is', async () => {
    const url = await emptyDatabase();
    expect((await migrate(url, 1, chain)).applied).toEqual(['base-line']);
    expect((await migrate(url, 3, chain)).applied).toEqual(['second', 'third']);
    expect((await migrate(url, 3, chain)).applied).toEqual([]);
  });

  test('a migration that fails leaves nothing of itself behind', async () => {
    const url = await emptyDatabase();
    await migrate(url, 1, chain);
    await query(url, 'create table proofmark.in_the_way (id text)');
    await expect(migrate(url, 3, chain)).rejects.toThrow('already exists');
    const tables = await query(url, "select to_regclass('proofmark.second') is null as gone");
    expect(tables).toEqual([{ gone: true }]);
    await query(url, 'drop table proofmark.in_the_way');
    expect((await migrate(url, 3, chain)).applied).toEqual(['second', 'third']);
  });

  test('jobs that recur are there, and partitions of this month and the two to come', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    expect(await query(url, 'select name from proofmark.recurring_jobs order by name')).toEqual(
      ['housekeeping', 'launch-schedules', 'measure-storage', 'settle-reservations'].map(
        (name) => ({ name }),
      ),
    );
    const months = idMonths('evalRun', Date.now(), 3).map(({ name }) => name);
    for (const table of [
      'eval_iterations',
      'eval_judgements',
      'eval_traces',
      'eval_widgets',
      'eval_widget_pictures',
    ]) {
      const parts = await query(
        url,
        `select relname::text as name, relrowsecurity as closed from pg_inherits join pg_class on oid = inhrelid
        where inhparent = 'proofmark.${table}'::regclass order by relname`,
      );
      expect(parts).toEqual(
        [...months, 'default'].map((month) => ({ name: `${table}_${month}`, closed: true })),
      );
    }
  });

  test('a database of before the base line is refused, says what to do, and is left as it is', async () => {
    const url = await emptyDatabase();
    await query(
      url,
      `create schema proofmark;
      create table proofmark.migrations (number integer primary key, name text not null, applied_at timestamptz);
      insert into proofmark.migrations (number, name) values (1, 'identity'), (2, 'catalog');
      create table proofmark.accounts (id text primary key);
      insert into proofmark.accounts values ('acc_1')`,
    );
    const before = await query(url, everything);
    const refusal =
      /from before 0\.1\.0.*Nothing in it was changed: export its suites.*empty database/;
    await expect(migrate(url)).rejects.toThrow(refusal);
    await expect(migrate(url)).rejects.toThrow(MigrationRefused);
    await expect(connect(url, (client) => migrateWithin(client))).rejects.toThrow(refusal);
    // Stands for a database from before the base line, whose last migration had the number 59. The
    // numbers of the present migrations are all lower.
    await query(url, "insert into proofmark.migrations (number, name) values (59, 'last')");
    await expect(migrate(url)).rejects.toThrow(refusal);
    await query(url, 'delete from proofmark.migrations where number = 59');
    expect(await query(url, everything)).toEqual(before);
  });

  test('a database of a newer version is refused and left as it is', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await query(
      url,
      `insert into proofmark.migrations (number, name) values (${latestMigration + 1}, 'future')`,
    );
    await expect(migrate(url)).rejects.toThrow(MigrationRefused);
  });
});
