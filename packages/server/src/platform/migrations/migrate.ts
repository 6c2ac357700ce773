/**
 * Runs numbered migrations. Each runs in a transaction of its own, together with its row in the
 * list of applied migrations; an advisory lock allows one process at a time. Two databases are
 * refused: one that a newer version has written, and one from before the base line (0.1.0), where
 * the numbers meant other migrations.
 */
import type pg from 'pg';
import { connect } from '../database/connect.ts';
import { type Migration, migrations } from './list.ts';
import { grantToService, serviceRoleOf } from './service-grants.ts';

export const latestMigration = migrations.length;

export class MigrationRefused extends Error {}

export interface MigrationReport {
  readonly applied: readonly string[];
}

export async function migrate(
  url: string,
  upTo: number = Number.POSITIVE_INFINITY,
  chain: readonly Migration[] = migrations,
): Promise<MigrationReport> {
  return connect(
    url,
    async (client) => {
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
      await refuseOldServer(client);
      await refuseBeforeBaseLine(client);
      await client.query(ledger);
      const applied = await applyPending(client, upTo, chain);
      if (applied.length > 0) await grantAgain(client);
      return { applied };
    },
    'migrations',
  );
}

/**
 * Runs migrations in the caller's transaction, so that either all or none take effect. Roles and
 * their rights are not changed.
 */
export async function migrateWithin(
  client: pg.Client,
  upTo: number = latestMigration,
): Promise<void> {
  await refuseBeforeBaseLine(client);
  await client.query(ledger);
  await applyPending(client, upTo, migrations, 'within');
}

/**
 * Throws if the database is from before the base line (0.1.0), when migrations had other numbers;
 * changes nothing. A database without a list of migrations is accepted.
 */
export async function refuseBeforeBaseLine(client: pg.Client): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('proofmark.migrations') is not null as there",
  );
  if (found[0]?.there !== true) return;
  const { rows } = await client.query<{ name: string }>(
    'select name from proofmark.migrations where number = 1',
  );
  const [first] = rows;
  if (first === undefined || first.name === migrations[0]?.name) return;
  throw new MigrationRefused(
    'This database was written by a Proofmark from before 0.1.0, which this version cannot open. Nothing in it was changed: export its suites with the version that wrote it, and start this version on an empty database or another data directory.',
  );
}

export const migrationLock = 727_001;
const oldestServer = 150_000;

const ledger = `
  create schema if not exists proofmark;
  create table if not exists proofmark.migrations (
    number integer primary key,
    name text not null,
    applied_at timestamptz(3) not null default now()
  );`;

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  );
  const [server] = rows;
  if (server !== undefined && server.number < oldestServer) {
    throw new MigrationRefused(
      `Proofmark needs PostgreSQL 15 or later, and this server is ${server.name}.`,
    );
  }
}

async function applyPending(
  client: pg.Client,
  upTo: number,
  chain: readonly Migration[],
  transaction: 'each' | 'within' = 'each',
): Promise<string[]> {
  const { rows } = await client.query<{ number: number }>(
    'select number from proofmark.migrations',
  );
  const done = new Set(rows.map((row) => row.number));
  const newest = Math.max(0, ...done);
  if (newest > chain.length) {
    throw new MigrationRefused(
      `This database was written by a newer Proofmark (migration ${newest}; this one knows ${chain.length}). Start the newer version, or restore an older backup.`,
    );
  }
  const applied: string[] = [];
  for (const [index, migration] of chain.entries()) {
    const number = index + 1;
    if (number > upTo || done.has(number)) continue;
    if (transaction === 'each') await client.query('begin');
    try {
      await client.query(`set local search_path to proofmark; ${migration.sql}`);
      await client.query('insert into proofmark.migrations (number, name) values ($1, $2)', [
        number,
        migration.name,
      ]);
      if (transaction === 'each') await client.query('commit');
    } catch (error) {
      if (transaction === 'each') await client.query('rollback').catch(() => undefined);
      throw error;
    }
    applied.push(migration.name);
  }
  return applied;
}

async function grantAgain(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    'select current_database() as database',
  );
  const name = serviceRoleOf(rows[0]?.database ?? '');
  const { rows: found } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (found.length > 0) await grantToService(client, name);
}
