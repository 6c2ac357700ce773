import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('after each of many cuts the next statement is answered', async () => {
  let going = true;
  let answered = 0;
  const ask = async () => {
    const { callers } = store.database;
    await Promise.all([callers`select 1`, callers`select ${'a'.repeat(200)}::text`]);
    answered += 1;
  };
  const askers = Array.from({ length: 8 }, async () => {
    while (going) await ask().catch(() => undefined);
  });
  for (let cut = 0; cut < 12; cut += 1) {
    const before = answered;
    await store.owner.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await expect.poll(() => answered, { timeout: 8000 }).toBeGreaterThan(before + 8);
  }
  going = false;
  await Promise.all(askers);
});
