/**
 * Waits until this many requests are blocked by a lock. Only locks in this test's database count,
 * since other tests use the same cluster.
 */
import { vi } from 'vitest';
import type { Sql } from '../../server/src/platform/database/database.ts';

export function untilWaiting(sql: Sql, count: number): Promise<unknown> {
  // Finds blocked connections by their other locks: when a transaction waits for a row that another
  // transaction has locked, that lock names no database.
  const waiting = async () => {
    const rows = await sql`
      select from pg_locks where not granted and pid in (
        select pid from pg_locks
        where database = (select oid from pg_database where datname = current_database()))`;
    return rows.count;
  };
  return vi.waitUntil(async () => (await waiting()) >= count, { timeout: 20_000, interval: 10 });
}
