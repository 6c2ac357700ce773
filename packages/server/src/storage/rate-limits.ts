/**
 * The token bucket of the domain as one statement on the database's clock, so that all processes
 * share it exactly. A test holds the two against each other. The row says both what was decided
 * and when the bucket is full again, since a refusal must tell an honest wait.
 */
import { type RateLimit, retryAfterSeconds, tokenMs, toleranceMs } from '@proofmark/domain';
import type { Database } from './database.ts';

export interface BucketRow {
  readonly allowed: boolean;
  readonly waitMs: number;
}

/**
 * The upsert alone, as text, to be joined to a statement that names the buckets to take from. The limit
 * is a setting of ours, so its numbers stand in the text: as parameters they would be sent eleven times.
 */
export function takeFrom(buckets: string, limit: RateLimit): string {
  const token = interval(tokenMs(limit));
  const tolerance = interval(toleranceMs(limit));
  const full = `greatest(now(), least(bucket_row.full_at, now() + ${tolerance} + ${token}))`;
  const passes = `${full} <= now() + ${tolerance}`;
  return `
    insert into rate_limits as bucket_row (bucket, full_at, allowed)
    select bucket, now() + ${token}, true from (${buckets}) as wanted (bucket)
    on conflict (bucket) do update set
      full_at = case when ${passes} then ${full} + ${token} else ${full} end,
      allowed = ${passes}
    returning allowed,
      (extract(epoch from full_at - now() - ${tolerance}) * 1000)::float8 as wait_ms`;
}

function interval(milliseconds: number): string {
  return `interval '${milliseconds.toFixed(6)} milliseconds'`;
}

export async function takeToken(
  database: Database,
  bucket: string,
  limit: RateLimit,
): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  const statement = takeFrom('select $1::text', limit);
  const [row] = await database.sql.unsafe<BucketRow[]>(statement, [bucket], { prepare: true });
  return taken(row as BucketRow);
}

export function taken(row: BucketRow): { allowed: boolean; retryAfterSeconds: number } {
  return { allowed: row.allowed, retryAfterSeconds: retryAfterSeconds(row.waitMs) };
}

/** A bucket that has been full for an hour is the same as none. */
export async function deleteFullBuckets(database: Database): Promise<number> {
  const gone =
    await database.sql`delete from rate_limits where full_at < now() - interval '1 hour'`;
  return gone.count;
}
