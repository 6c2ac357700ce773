/**
 * The use of an organization that is bounded per day. A counter changes in the transaction that
 * creates the counted thing, so a refused or failed request counts nothing. Lock order: the counter
 * is the last lock of such a transaction, so two never wait for each other.
 */
import type { Database, Sql } from '../../database/database.ts';
import { inEveryOrganization } from '../../database/in-every-organization.ts';

/**
 * Counts all of the amount or nothing; returns whether it stayed within the quota. The day is that
 * of the transaction.
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

const keptDays = 90;

export function deleteOldCounters(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`
      delete from daily_counters where day < (now() at time zone 'UTC')::date - ${keptDays}::integer`,
  );
}
