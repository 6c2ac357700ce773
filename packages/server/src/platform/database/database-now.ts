import type { Sql } from './database.ts';

/** Whatever is stored with an end is compared with this clock, never with that of one of the processes. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return (row as { now: Date }).now;
}
