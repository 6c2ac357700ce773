import type { Fragment, Sql } from '../../database/database.ts';

export function today(sql: Sql): Fragment {
  return sql`(now() at time zone 'utc')::date`;
}
