import type { Fragment, Sql } from '../../database/database.ts';

/** The UTC day of the transaction. */
export function today(sql: Sql): Fragment {
  return sql`(now() at time zone 'utc')::date`;
}
