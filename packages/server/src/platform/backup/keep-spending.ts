/**
 * Keeps spending and counters across a restore. Credits that were spent at a provider stay spent,
 * even if the backup does not contain the spending. For organizations that still exist, ledger rows
 * that the backup lacks are added, and the greater of two counter values is kept.
 */
import type pg from 'pg';
import { schema } from './stored-tables.ts';

const kept = ['ledger', 'daily_counters', 'credit_reservations'] as const;
type KeptTable = (typeof kept)[number];
const before = (table: KeptTable) => `pg_temp.${table}_before`;

/**
 * Copies the tables as they are. They are missing if there is no schema yet, or if it contains only
 * the list of applied migrations; the copies are then empty.
 */
export async function rememberSpending(client: pg.Client): Promise<void> {
  for (const table of kept) {
    const { rows } = await client.query(
      `select to_regclass('${schema}.${table}') is not null as yes`,
    );
    const from = rows[0].yes ? `select * from ${schema}.${table}` : 'select';
    await client.query(`create temp table ${table}_before on commit drop as ${from}`);
  }
}

/** Writes the remembered rows back; needs tables of the latest migration. */
export async function keepSpending(client: pg.Client): Promise<void> {
  await add(client, 'ledger', 'do nothing');
  await add(
    client,
    'daily_counters',
    '(organization_id, day, counter) do update set used = greatest(stored.used, excluded.used)',
  );
  await add(
    client,
    'credit_reservations',
    '(kind, ref, step) do update set credits = greatest(stored.credits, excluded.credits)',
  );
  await client.query(settled);
}

/**
 * Copies the columns that exist both in the table and in its remembered copy. Newer columns get
 * their defaults.
 */
async function add(client: pg.Client, table: KeptTable, onConflict: string): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(quote_ident(attname), ', ') as names
       from pg_attribute join pg_attribute remembered using (attname)
      where pg_attribute.attrelid = '${schema}.${table}'::regclass and pg_attribute.attnum > 0
        and remembered.attrelid = '${before(table)}'::regclass and remembered.attnum > 0
        and not pg_attribute.attisdropped`,
  );
  const names = rows[0]?.names;
  if (!names) return;
  await client.query(`
    insert into ${schema}.${table} as stored (${names}) select ${names} from ${before(table)}
    where organization_id in (select id from ${schema}.organizations)
    on conflict ${onConflict}`);
}

/**
 * Settles reservations. A step that has a ledger row is paid for, so its reservation is deleted.
 * For each day and run, `reserved` becomes the sum of the open reservations, and `used` is raised
 * to at least the sum of the ledger rows.
 */
const ofRun = (table: string) =>
  `${table}.ref >= run.run_id || '/' and ${table}.ref < run.run_id || '0'`;
const settled = `
  delete from ${schema}.credit_reservations reservation using ${schema}.ledger
    where ledger.kind = reservation.kind and ledger.ref = reservation.ref and ledger.step = reservation.step;
  update ${schema}.daily_counters day_row set reserved = (
    select coalesce(sum(credits), 0) from ${schema}.credit_reservations reservation
    where reservation.organization_id = day_row.organization_id and reservation.day = day_row.day
  ), used = greatest(used, (
    select coalesce(sum(credits), 0) from ${schema}.ledger
    where ledger.organization_id = day_row.organization_id and ledger.day = day_row.day
  )) where counter = 'credits';
  update ${schema}.run_credits run set reserved = (
    select coalesce(sum(credits), 0) from ${schema}.credit_reservations reservation
    where reservation.kind in ('trial_step', 'judge') and ${ofRun('reservation')}
  ), used = greatest(used, (
    select coalesce(sum(credits), 0) from ${schema}.ledger
    where ledger.kind in ('trial_step', 'judge') and ${ofRun('ledger')}
  ));`;
