/** Up to when a list of what has ended is complete. */
import type { Sql } from './database.ts';

/** What ended just now is left for later, so that a page does not grow while it is read. */
const restSeconds = 10;

/**
 * What ended before this moment can be read by now, or never will be. Something is recorded a moment before others can
 * read it, and a large report much longer: nothing is settled that ended after the oldest transaction that still writes
 * began, or it would appear before what was read already. Asked for before the list is read: who is not among the writers
 * any more has committed, and the next statement sees it. Ends are kept in milliseconds.
 */
export async function completeUntil(sql: Sql, rest: number = restSeconds): Promise<Date> {
  const [row] = await sql<{ settled: Date }[]>`
    select date_trunc('milliseconds', least(statement_timestamp() - make_interval(secs => ${rest}), min(xact_start))) as settled
    from pg_stat_activity where datname = current_database() and backend_xid is not null`;
  if (row === undefined) throw new Error('The database tells nothing of who writes.');
  return row.settled;
}
