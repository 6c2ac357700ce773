/**
 * Counts an organization's use against its daily quotas. A counter changes in the transaction that
 * creates the counted object, so a refused or failed request is not counted. A transaction must
 * lock the counter last, so that two transactions never deadlock.
 */
import type { Database, Sql } from '../../database/database.ts';
import { inEveryOrganization } from '../../database/in-every-organization.ts';

/**
 * Counts the whole amount or nothing; returns whether the amount stayed within the quota. It counts
 * for the day on which the transaction began.
 */
export async function countToday(
  sql: Sql,
  organizationId: string,
  counter: string,
  amount: number,
  allowed: number,
): Promise<boolean> {
  const counted = await sql`
    insert into daily_counters as counted (organization_id, day, counter, used)
    select ${organizationId}, (now() at time zone 'UTC')::date, ${counter}, ${amount}::bigint
    where ${amount}::bigint <= ${allowed}::bigint
    on conflict (organization_id, day, counter) do update set used = counted.used + excluded.used
    where counted.used + excluded.used <= ${allowed}::bigint`;
  return counted.count > 0;
}

/**
 * Subtracts an amount that was counted, today or earlier, but never used. A negative amount adds
 * use that was not counted.
 */
export async function giveBack(
  sql: Sql,
  organizationId: string,
  counter: string,
  { amount, countedAt }: { readonly amount: number; readonly countedAt: Date },
): Promise<void> {
  await sql`
    update daily_counters set used = greatest(used - ${amount}::bigint, 0)
    where organization_id = ${organizationId} and counter = ${counter}
      and day = (${countedAt}::timestamptz at time zone 'UTC')::date`;
}

const keptDays = 90;

export function deleteOldCounters(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`
      delete from daily_counters where day < (now() at time zone 'UTC')::date - ${keptDays}::integer`,
  );
}
