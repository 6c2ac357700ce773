import { takeToken as decide, tokenMs, toleranceMs } from '@proofmark/domain';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteFullBuckets, takeToken } from './rate-limits.ts';

const limit = { perMinute: 60, burst: 10 };
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('of 500 at once on one bucket exactly the burst passes, and every refusal tells a wait', async () => {
  const taken = await Promise.all(
    Array.from({ length: 500 }, () =>
      takeToken(store.database, 'burst', { perMinute: 1, burst: 10 }),
    ),
  );
  expect(taken.filter((one) => one.allowed)).toHaveLength(10);
  for (const refused of taken.filter((one) => !one.allowed)) {
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
  }
});

test('the statement decides as the rule does, whatever state the bucket is in', async () => {
  const { sql } = store.owner;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -20, max: 40 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 20 }),
      async (aheadTokens, perMinute, burst) => {
        const bucket = { perMinute, burst };
        // The bucket is half a token away from the limit, so that the microseconds between two
        // statements do not change the outcome.
        const aheadMs = (aheadTokens + 0.5) * tokenMs(bucket);
        await sql`delete from rate_limits`;
        await sql`insert into rate_limits (bucket, full_at) values ('b', now() + ${`${aheadMs} milliseconds`}::interval)`;
        const expected = decide(aheadMs, 0, bucket);
        const taken = await takeToken(store.database, 'b', bucket);
        expect(taken.allowed).toBe(expected.allowed);
        if (!taken.allowed) {
          expect(
            Math.abs(taken.retryAfterSeconds - expected.retryAfterSeconds),
          ).toBeLessThanOrEqual(1);
        }
        const [row] = await sql<
          { aheadMs: number }[]
        >`select extract(epoch from full_at - now())::float8 * 1000 as ahead_ms from rate_limits`;
        expect(row?.aheadMs).toBeLessThanOrEqual(toleranceMs(bucket) + tokenMs(bucket));
      },
    ),
    { numRuns: 60 },
  );
});

test('buckets do not touch each other', async () => {
  const one = { perMinute: 1, burst: 1 };
  expect((await takeToken(store.database, 'x', one)).allowed).toBe(true);
  expect((await takeToken(store.database, 'x', one)).allowed).toBe(false);
  expect((await takeToken(store.database, 'y', one)).allowed).toBe(true);
});

test('only buckets that have long been full are cleared away', async () => {
  const { sql } = store.owner;
  await sql`delete from rate_limits`;
  await takeToken(store.database, 'fresh', limit);
  await sql`insert into rate_limits (bucket, full_at) values ('old', now() - interval '2 hours')`;
  expect(await deleteFullBuckets(store.database)).toBe(1);
  expect(await sql`select bucket from rate_limits`).toMatchObject([{ bucket: 'fresh' }]);
});
