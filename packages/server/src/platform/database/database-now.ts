import type { Sql } from './database.ts';

/**
 * Returns the database's current time. Every stored expiry is compared with this clock, never with
 * that of a process.
 */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return (row as { now: Date }).now;
}
