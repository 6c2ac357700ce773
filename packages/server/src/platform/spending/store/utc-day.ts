import type { Fragment, Sql } from '../../database/database.ts';

/** Returns SQL for the UTC day of the transaction. */
export function today(sql: Sql): Fragment {
  return sql`(now() at time zone 'utc')::date`;
}
