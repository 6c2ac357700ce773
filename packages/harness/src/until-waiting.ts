/**
 * Waits until a lock blocks this many requests. Only locks in this test's database count, because
 * other tests use the same cluster.
 */
import { vi } from 'vitest';
import type { Sql } from '../../server/src/platform/database/database.ts';

export function untilWaiting(sql: Sql, count: number): Promise<unknown> {
  // A blocked transaction waits for a lock that names no database. So its database is found by the
  // other locks that the transaction holds.
  const waiting = async () => {
    const rows = await sql`
      select from pg_locks where not granted and pid in (
        select pid from pg_locks
        where database = (select oid from pg_database where datname = current_database()))`;
    return rows.count;
  };
  return vi.waitUntil(async () => (await waiting()) >= count, { timeout: 20_000, interval: 10 });
}
