/**
 * Replaces all data of the database with that of a backup. The whole file is read and checked
 * before any change. Everything, including the schema, changes in one transaction, so a process
 * killed at any moment leaves the data either as before or fully restored. If the schema is at
 * another migration than the backup, our migrations create it again, up to the backup's migration.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BackupHeader, BackupRefused, type BackupSummary } from './backup-format.ts';
import { type BackupPart, readBackup } from './read-backup.ts';
import { makePartitions } from './stored-partitions.ts';
import {
  copyTarget,
  lastMigration,
  qualified,
  schema,
  storedTables,
  tablesToEmpty,
  useFixedSettings,
} from './stored-tables.ts';

export interface RestoreOptions {
  /**
   * Creates the schema by running the migrations up to `upTo`, inside the transaction of the
   * restore.
   */
  migrate(client: pg.Client, upTo: number): Promise<void>;
  /**
   * Rejects a schema that this version cannot replace. If an interrupted restore of an earlier
   * version had renamed a schema, the renamed schema is also checked before it gets its name back.
   */
  refuse(client: pg.Client): Promise<void>;
  /** Saves the parts of the replaced data that must survive; called before anything changes. */
  remember?(client: pg.Client): Promise<void>;
  /**
   * Checks and completes the loaded data before the commit. If it throws, the database stays as it
   * was.
   */
  complete?(client: pg.Client): Promise<void>;
}

export interface RestoreReport {
  migration: number;
  createdAt: string;
  rows: number;
  tables: { name: string; rows: number }[];
}

export interface VerifiedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly summary: BackupSummary;
}

/** Rejects a file that cannot be restored. Does not need the database. */
export async function verifyBackup(file: string, latest: number): Promise<VerifiedBackup> {
  const { header, summary } = await verify(file);
  if (header.migration > latest) {
    throw new BackupRefused(
      `The backup ${file} is at migration ${header.migration} and this Proofmark only knows migrations up to ${latest}: restore it with the version that wrote it or a newer one.`,
    );
  }
  return { file, header, summary };
}

export async function restoreFrom(
  client: pg.Client,
  { file, header, summary }: VerifiedBackup,
  options: RestoreOptions,
): Promise<RestoreReport> {
  await recoverSchemaSetAside(client, options);
  await client.query('begin');
  try {
    await useFixedSettings(client);
    await client.query(`set local lock_timeout = '10s'`);
    await options.remember?.(client);
    if ((await lastMigration(client)) !== header.migration) {
      await client.query(`drop schema if exists ${schema} cascade`);
      await options.migrate(client, header.migration);
      await useFixedSettings(client);
    }
    await load(client, file, header.migration, summary);
    await options.complete?.(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw inPlainWords(error);
  }
  const tables = summary.tables.map(({ name, rows }) => ({ name, rows }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { migration: header.migration, createdAt: header.createdAt, rows, tables };
}

async function verify(file: string): Promise<{ header: BackupHeader; summary: BackupSummary }> {
  let header: BackupHeader | undefined;
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header;
    if (part.kind === 'summary' && header) return { header, summary: part.summary };
  }
  throw new BackupRefused(`The backup ${file} is empty: use another copy of it.`);
}

async function load(
  client: pg.Client,
  file: string,
  migration: number,
  summary: BackupSummary,
): Promise<void> {
  await refuseOtherSchema(client, migration, summary);
  const checks = await suspendConstraints(client);
  const names = (await tablesToEmpty(client)).map((name) => qualified(client, name));
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`);
  // Partitions are created before the rows are loaded: PostgreSQL refuses to create one for a month
  // whose rows are already in the default partition.
  await makePartitions(client, summary.partitions);

  const parts = readBackup(file);
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    if (part.value.kind !== 'table') continue;
    const { table } = part.value;
    const counted = { rows: 0 };
    const target = client.query(copyFrom(`copy ${copyTarget(client, table)} from stdin`));
    await pipeline(Readable.from(dataOf(parts, counted)), target);
    if (target.rowCount !== counted.rows) {
      throw new Error(
        `The table ${table.name} accepted only ${target.rowCount} of ${counted.rows} rows, so nothing was changed.`,
      );
    }
  }
  // Uses ALTER SEQUENCE, since the effect of setval would outlive a rollback.
  for (const { name, next } of summary.sequences) {
    await client.query(
      `alter sequence ${qualified(client, name)} restart with ${BigInt(next).toString()}`,
    );
  }
  await checks.resume();
}

async function* dataOf(
  parts: AsyncGenerator<BackupPart>,
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    if (part.value.kind === 'data') yield part.value.bytes;
    if (part.value.kind === 'tableEnd') {
      counted.rows = part.value.rows;
      return;
    }
  }
}

async function refuseOtherSchema(
  client: pg.Client,
  migration: number,
  summary: BackupSummary,
): Promise<void> {
  const now = await lastMigration(client);
  if (now !== migration) {
    throw new BackupRefused(
      `The backup is at migration ${migration}, but the database is at migration ${now ?? 0}, so nothing was restored: restore into an empty database.`,
    );
  }
  const shape = (tables: { name: string; columns: string[] }[]) =>
    JSON.stringify(tables.map(({ name, columns }) => [name, [...columns].sort()]).sort());
  if (shape(await storedTables(client)) !== shape(summary.tables)) {
    throw new BackupRefused(
      'The tables of this database differ from those of the backup although both are at the same migration, so nothing was restored: restore into an empty database.',
    );
  }
}

function inPlainWords(error: unknown): unknown {
  // 55P03: a lock was not free within the time limit.
  if ((error as { code?: string }).code !== '55P03') return error;
  return new Error(
    'The database is in use, so nothing was restored: stop every Proofmark process that uses it and try again.',
  );
}

/**
 * Earlier versions renamed a schema to this name during a restore, if the schema was newer than the
 * backup. If such a restore was killed, the earlier data is still under this name, and the schema
 * with the normal name is empty. If the empty schema was used since, only a person can decide which
 * data to keep.
 */
const asideName = 'proofmark_before_restore';

async function recoverSchemaSetAside(
  client: pg.Client,
  { refuse }: Pick<RestoreOptions, 'refuse'>,
): Promise<void> {
  const { rows } = await client.query('select to_regnamespace($1) is not null as yes', [asideName]);
  if (!rows[0].yes) return;
  for (const { name } of await storedTables(client)) {
    const table = qualified(client, name);
    const found = await client.query(`select exists (select from ${table}) as yes`);
    if (found.rows[0].yes) {
      throw new Error(
        `An earlier restore was interrupted and left the previous data in the schema ${asideName}: drop that schema if it is no longer needed, then restore again.`,
      );
    }
  }
  await client.query('begin');
  try {
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.query(`alter schema ${asideName} rename to ${schema}`);
    await refuse(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Switches off foreign keys and triggers during the load: tables are loaded one after the other,
 * and triggers must not act on restored rows. A superuser switches both off with one setting of the
 * transaction. For any other owner, the foreign keys are dropped and created again, which checks
 * every row, and each trigger is disabled.
 */
async function suspendConstraints(client: pg.Client): Promise<{ resume(): Promise<void> }> {
  await client.query('savepoint checks');
  try {
    await client.query('set local session_replication_role = replica');
    return {
      async resume() {
        await client.query('set local session_replication_role = origin');
      },
    };
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    await client.query('rollback to savepoint checks');
  }
  const references = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = to_regnamespace($1)`,
    [schema],
  );
  const triggers = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not tgisinternal and tgenabled = 'O' and tgparentid = 0
        and c.relnamespace = to_regnamespace($1)`,
    [schema],
  );
  for (const { table, name } of references.rows) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { table, name } of triggers.rows) {
    await client.query(`alter table ${table} disable trigger ${name}`);
  }
  return {
    async resume() {
      await client.query('set constraints all immediate');
      for (const { table, name } of triggers.rows) {
        await client.query(`alter table ${table} enable trigger ${name}`);
      }
      for (const { table, name, definition } of references.rows) {
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      }
    },
  };
}
