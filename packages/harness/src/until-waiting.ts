/** Waits until requests stand before a lock. Only this database counts: other tests share the cluster and wait too. */
import { vi } from 'vitest';
import type { Sql } from '../../server/src/platform/database/database.ts';

export function untilWaiting(sql: Sql, count: number): Promise<unknown> {
  // A lock on a row of another's transaction names no database, so it is found by the other locks of the same connection.
  const waiting = async () => {
    const rows = await sql`
      select from pg_locks where not granted and pid in (
        select pid from pg_locks
        where database = (select oid from pg_database where datname = current_database()))`;
    return rows.count;
  };
  return vi.waitUntil(async () => (await waiting()) >= count, { timeout: 20_000, interval: 10 });
}
