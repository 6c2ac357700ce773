/**
 * Waits until requests are blocked by a lock. Only this database counts, since other tests share
 * the cluster.
 */
import { vi } from 'vitest';
import type { Sql } from '../../server/src/platform/database/database.ts';

export function untilWaiting(sql: Sql, count: number): Promise<unknown> {
  // A lock on a row of another transaction has no database, so it is found through the other locks
  // of its connection.
  const waiting = async () => {
    const rows = await sql`
      select from pg_locks where not granted and pid in (
        select pid from pg_locks
        where database = (select oid from pg_database where datname = current_database()))`;
    return rows.count;
  };
  return vi.waitUntil(async () => (await waiting()) >= count, { timeout: 20_000, interval: 10 });
}
