/** The time up to which a list of ended things is complete. */
import type { Sql } from './database.ts';

/** Things that ended just now are left for later, so that a page does not grow while it is read. */
const restSeconds = 10;

/**
 * Returns a time before which every end is readable now or never will be. A result becomes readable
 * a moment after it is recorded, a large report much later; so the time is never after the start of
 * the oldest transaction that is still writing, or a later result would sort before those already
 * read. Call it before reading the list: a transaction that no longer writes has committed, and the
 * next statement sees it. Ends are stored in milliseconds.
 */
export async function completeUntil(sql: Sql, rest: number = restSeconds): Promise<Date> {
  const [row] = await sql<{ settled: Date }[]>`
    select date_trunc('milliseconds', least(statement_timestamp() - make_interval(secs => ${rest}), min(xact_start))) as settled
    from pg_stat_activity where datname = current_database() and backend_xid is not null`;
  if (row === undefined) throw new Error('The database does not report its writing transactions.');
  return row.settled;
}
