/**
 * The domain's token bucket as one SQL statement on the database's clock, so that all processes
 * share one exact bucket. The requests of a batch take their tokens at once; `passed` is the number
 * of requests that got one. A test compares the statement with the domain's code.
 */
import { type RateLimit, retryAfterSeconds, tokenMs, toleranceMs } from '@proofmark/domain';
import type { Database } from '../../database/database.ts';

export interface BucketRow {
  readonly passed: number;
  readonly waitMs: number;
}

/**
 * Returns the upsert as SQL text. `buckets` is a query for each bucket and its number of requested
 * tokens. The numbers of the limit are part of the text, since parameters would be sent with every
 * call. Buckets are locked in the order of their names, so that two processes never deadlock.
 */
export function takeFrom(buckets: string, limit: RateLimit): string {
  const token = interval(tokenMs(limit));
  const tolerance = interval(toleranceMs(limit));
  const full = `greatest(now(), least(bucket_row.full_at, now() + ${tolerance} + ${token}))`;
  const left = `floor(extract(epoch from now() + ${tolerance} - ${full}) / extract(epoch from ${token})) + 1`;
  const passed = `greatest(0, least(excluded.passed, ${left}))::integer`;
  return `
    insert into rate_limits as bucket_row (bucket, full_at, passed)
    select bucket, now() + least(asked, ${limit.burst}) * ${token}, least(asked, ${limit.burst})
    from (${buckets}) as wanted (bucket, asked) order by bucket
    on conflict (bucket) do update set
      full_at = ${full} + ${passed} * ${token},
      passed = ${passed}
    returning bucket, passed,
      (extract(epoch from full_at - now() - ${tolerance}) * 1000)::float8 as wait_ms`;
}

function interval(milliseconds: number): string {
  return `interval '${milliseconds.toFixed(6)} milliseconds'`;
}

export async function takeToken(
  database: Database,
  bucket: string,
  limit: RateLimit,
): Promise<{ allowed: boolean; waitMs: number; retryAfterSeconds: number }> {
  const statement = takeFrom('select $1::text, 1', limit);
  const [row] = await database.sql.written<BucketRow[]>(statement, [bucket]);
  const { passed, waitMs } = row as BucketRow;
  return { allowed: passed > 0, waitMs, retryAfterSeconds: retryAfterSeconds(waitMs) };
}

/**
 * Deletes buckets that have been full for an hour. This loses nothing, since a missing bucket
 * counts as full.
 */
export async function deleteFullBuckets(database: Database): Promise<number> {
  const gone = await database.transaction(
    (sql) => sql`delete from rate_limits where full_at < now() - interval '1 hour'`,
    'slow',
  );
  return gone.count;
}
