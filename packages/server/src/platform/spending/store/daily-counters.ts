/**
 * The part of its daily limits that an organization has used. The day is that of the start of the
 * transaction, by the database's clock.
 */
import { type DailyLimitName, largestQuota } from '@proofmark/domain';
import { countToday } from '../../accounts/store/daily-counters.ts';
import type { Sql } from '../../database/database.ts';
import { creditsCounter } from './ledger.ts';
import { today } from './utc-day.ts';

export interface Charge {
  readonly organizationId: string;
  readonly name: DailyLimitName;
  /** Null for no limit: uses are then only counted. */
  readonly allowed: number | null;
}

/** `sql` must be the transaction that creates the counted object. */
export async function chargeDay(
  sql: Sql,
  charge: Charge,
): Promise<{ readonly isCharged: boolean }> {
  const { organizationId, name, allowed } = charge;
  return { isCharged: await countToday(sql, organizationId, name, 1, allowed ?? largestQuota) };
}

export async function dayOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ day: string }[]>`select ${today(sql)}::text as day`;
  return row?.day ?? '';
}

export async function giveBackOfDay(
  sql: Sql,
  organizationId: string,
  name: DailyLimitName,
  day: string,
): Promise<void> {
  await sql`
    update daily_counters set used = used - 1
    where organization_id = ${organizationId} and day = ${day}::date and counter = ${name} and used > 0`;
}

export interface DayOfOrganization {
  readonly now: Date;
  readonly used: ReadonlyMap<string, number>;
}

export async function readDay(sql: Sql, organizationId: string): Promise<DayOfOrganization> {
  const rows = await sql<{ now: Date; name: string | null; used: number }[]>`
    select now() as now, counter as name, (used + reserved)::float8 as used
    from (select) as always left join daily_counters
      on organization_id = ${organizationId} and day = ${today(sql)}`;
  const used = new Map(rows.flatMap((row) => (row.name === null ? [] : [[row.name, row.used]])));
  return { now: rows[0]?.now as Date, used };
}

export async function readCreditsOfToday(sql: Sql, organizationId: string): Promise<number> {
  return (await readDay(sql, organizationId)).used.get(creditsCounter) ?? 0;
}

/**
 * Returns the credits spent today. Reserved credits are not included, since they may be released.
 */
export async function readSpentToday(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ used: number }[]>`
    select used::float8 as used from daily_counters
    where organization_id = ${organizationId} and day = ${today(sql)} and counter = ${creditsCounter}`;
  return row?.used ?? 0;
}
