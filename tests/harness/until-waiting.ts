/** Waits until this many statements of the test's own database stand before a lock. */
import { vi } from 'vitest';
import type { Sql } from '../../packages/server/src/storage/database.ts';

export async function untilWaiting(sql: Sql, count: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const waiting = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.count >= count;
    },
    { timeout: 20_000, interval: 20 },
  );
}
