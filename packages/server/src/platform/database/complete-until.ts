import type { Sql } from './database.ts';

/**
 * The returned time is at least this many seconds in the past. Newer entries are left out, so that
 * a page does not grow while it is read.
 */
const restSeconds = 10;

/**
 * Returns a time before which the list is complete: no entry with an earlier end can appear later.
 * A running transaction may still write such an entry, so the time is never after the start of the
 * oldest writing transaction. Call this function before reading the list: transactions that have
 * ended by then are visible to the next statement.
 */
export async function completeUntil(sql: Sql, rest: number = restSeconds): Promise<Date> {
  const [row] = await sql<{ settled: Date }[]>`
    select date_trunc('milliseconds', least(statement_timestamp() - make_interval(secs => ${rest}), min(xact_start))) as settled
    from pg_stat_activity where datname = current_database() and backend_xid is not null`;
  if (row === undefined) throw new Error('The database did not report its open transactions.');
  return row.settled;
}
