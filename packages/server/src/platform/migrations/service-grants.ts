import type pg from 'pg';
import { sha256Hex } from '../../kernel/sha256-hex.ts';

/**
 * Returns the name of the role. A name that is too long is shortened here, since PostgreSQL would
 * truncate it and could make two names equal.
 */
export function serviceRoleOf(database: string): string {
  const name = `proofmark_service_${database}`;
  if (Buffer.byteLength(name) <= longestName) return name;
  return `proofmark_service_${database.replace(/\W/g, '_').slice(0, 24)}_${sha256Hex(database).slice(0, 16)}`;
}

const longestName = 63;

/**
 * Grants the role all rights that the service needs to read and write data, but no right to change
 * the schema.
 */
export async function grantToService(client: pg.Client, name: string): Promise<void> {
  // If the rights already exist, no rights are granted: a grant would conflict with other processes
  // that are creating monthly tables.
  if (await isGranted(client, name)) return;
  const role = client.escapeIdentifier(name);
  await client.query(`
    grant usage on schema proofmark to ${role};
    grant select, insert, update, delete on all tables in schema proofmark to ${role};
    revoke all on proofmark.migrations from ${role};
    do $$ begin
      if to_regclass('proofmark.audit_log') is not null then
        -- Its lines are only added, by the service as by everybody.
        revoke update, delete on proofmark.audit_log from ${role};
      end if;
      if to_regclass('proofmark.ledger') is not null then
        revoke update, delete on proofmark.ledger from ${role};
      end if;
    end $$;
    ${revokeFromFormerRole}
    ${grantQueue(role)}`);
}

async function isGranted(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class
    where relnamespace in (to_regnamespace('proofmark'), to_regnamespace('graphile_worker'))
      and relkind in ('r', 'p') and not relispartition and oid is distinct from to_regclass('proofmark.migrations')
      and not (has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert')) limit 1`,
    [name],
  );
  return rows.length === 0;
}

/**
 * Opens the job queue's tables to the role, since the queue's library restricts them to their
 * owner.
 */
const grantQueue = (role: string) => `
  do $$ declare queue_table name; begin
    if to_regnamespace('graphile_worker') is null then return; end if;
    grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    grant usage on all sequences in schema graphile_worker to ${role};
    for queue_table in
      select relname from pg_class
      where relnamespace = to_regnamespace('graphile_worker') and relkind = 'r' and relrowsecurity
        and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'proofmark_service')
    loop
      execute format('create policy proofmark_service on graphile_worker.%I using (true)', queue_table);
    end loop;
  end $$;`;

/**
 * Removes all rights from the role that earlier versions used. All installations on one server
 * shared that role.
 */
const revokeFromFormerRole = `
  do $$ begin
    if exists (select from pg_roles where rolname = 'proofmark_app') then
      revoke all on all tables in schema proofmark from proofmark_app;
      revoke all on schema proofmark from proofmark_app;
    end if;
  end $$;`;
