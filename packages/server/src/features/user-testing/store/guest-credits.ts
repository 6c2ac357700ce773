/**
 * The credits that the guests of a scenario spend per day. Before a call, one conditional statement
 * reserves the maximum cost of the step. Afterwards the real cost replaces the reservation. A step
 * that is never settled counts at its maximum cost.
 */
import type { Sql } from '../../../platform/database/database.ts';
import { today } from '../../../platform/spending/store/utc-day.ts';

export interface GuestPlace {
  readonly organizationId: string;
  readonly scenarioId: string;
}

/**
 * Returns the UTC day that the reservation belongs to. Returns undefined, and reserves nothing, if
 * the cap could be exceeded.
 */
export async function reserveGuestCredits(
  sql: Sql,
  { organizationId, scenarioId }: GuestPlace,
  credits: number,
  cap: number,
): Promise<string | undefined> {
  const [row] = await sql<{ day: string }[]>`
    insert into daily_counters as day_row (organization_id, day, counter, used, reserved)
    select ${organizationId}, ${today(sql)}, ${counterOf(scenarioId)}, 0, ${credits}::numeric
    where ${credits}::numeric <= ${cap}::numeric
    on conflict (organization_id, day, counter) do update set reserved = day_row.reserved + excluded.reserved
      where day_row.used + day_row.reserved + excluded.reserved <= ${cap}::numeric
    returning day::text as day`;
  return row?.day;
}

export async function settleGuestCredits(
  sql: Sql,
  { organizationId, scenarioId }: GuestPlace,
  {
    day,
    reserved,
    spent,
  }: { readonly day: string; readonly reserved: number; readonly spent: number },
): Promise<void> {
  await sql`
    update daily_counters set reserved = greatest(0, reserved - ${reserved}::numeric), used = used + ${spent}::numeric
    where organization_id = ${organizationId} and day = ${day}::date and counter = ${counterOf(scenarioId)}`;
}

/** Returns the credits that guests have used today, including reserved credits. */
export async function readGuestCredits(
  sql: Sql,
  { organizationId, scenarioId }: GuestPlace,
): Promise<{ readonly used: number; readonly now: Date }> {
  const [row] = await sql<{ used: number | null; now: Date }[]>`
    select now() as now, (select (used + reserved)::float8 from daily_counters
      where organization_id = ${organizationId} and day = ${today(sql)} and counter = ${counterOf(scenarioId)}) as used`;
  return { used: row?.used ?? 0, now: row?.now as Date };
}

function counterOf(scenarioId: string): string {
  return `guestCredits:${scenarioId}`;
}
