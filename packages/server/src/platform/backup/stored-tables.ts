/**
 * The content of a backup: every logged table of the schema; a partitioned table counts as one.
 * Unlogged tables are emptied by a crash and contain nothing worth keeping. The table `migrations`
 * is left out: it describes the schema and not the data.
 */
import type pg from 'pg';
import type { BackupSequence, BackupTable } from './backup-format.ts';

export const schema = 'proofmark';

/**
 * Sets fixed values, so that the COPY text of a value does not depend on the settings of a session,
 * a role or a server.
 */
export async function useFixedSettings(client: pg.Client): Promise<void> {
  await client.query(`
    set local search_path = pg_catalog;
    set local client_encoding = 'UTF8';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local timezone = 'UTC';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local row_security = off;`);
}

/** Returns the number of the schema's last migration; undefined if there is no schema yet. */
export async function lastMigration(client: pg.Client): Promise<number | undefined> {
  const found = await client.query(`select to_regclass('${schema}.migrations') is not null as yes`);
  if (!found.rows[0].yes) return undefined;
  const { rows } = await client.query(
    `select coalesce(max(number), 0)::int as number from ${schema}.migrations`,
  );
  return rows[0].number as number;
}

/**
 * Returns the tables of a backup with their columns. Generated columns are left out, since
 * PostgreSQL computes them again.
 */
export async function storedTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
        and c.relpersistence = 'p' and c.relname <> 'migrations'
      group by c.relname order by c.relname`,
    [schema],
  );
  return rows;
}

/**
 * Returns every table that a restore empties. Unlogged tables are included, since they concern the
 * replaced data.
 */
export async function tablesToEmpty(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname <> 'migrations'`,
    [schema],
  );
  return rows.map((row) => row.name);
}

/**
 * Returns the sequences. A snapshot does not cover sequences, so the caller must read them after
 * the tables. Otherwise a sequence could be behind the ids of the rows.
 */
export async function sequences(client: pg.Client): Promise<BackupSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'S' and relpersistence = 'p'
      order by relname`,
    [schema],
  );
  const found: BackupSequence[] = [];
  for (const { name } of rows) {
    const state = await client.query<{ next: string }>(
      `select (q.last_value + case when q.is_called then s.seqincrement else 0 end)::text as next
         from ${qualified(client, name)} q, pg_sequence s
        where s.seqrelid = $1::regclass`,
      [qualified(client, name)],
    );
    found.push({ name, next: state.rows[0]?.next ?? '1' });
  }
  return found;
}

export function qualified(client: pg.Client, name: string): string {
  return `${schema}.${client.escapeIdentifier(name)}`;
}

export function copyTarget(client: pg.Client, table: BackupTable): string {
  return `${qualified(client, table.name)} (${columnNames(client, table)})`;
}

/** Returns a query instead of a table name, since COPY cannot read a partitioned table by name. */
export function copySource(client: pg.Client, table: BackupTable): string {
  return `select ${columnNames(client, table)} from ${qualified(client, table.name)}`;
}

function columnNames(client: pg.Client, table: BackupTable): string {
  return table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
}
