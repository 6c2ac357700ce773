import type { SpendingLimits, SpendingOfDay } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';
import { creditsCounter } from './ledger.ts';
import { today } from './utc-day.ts';

/** Reads the use and spending of a UTC day (default: today). */
export async function readSpending(
  sql: Sql,
  organizationId: string,
  givenDay: string | undefined,
  limits: SpendingLimits,
): Promise<SpendingOfDay> {
  const [row] = await sql<{ day: string }[]>`
    select to_char(coalesce(${givenDay ?? null}::date, ${today(sql)}), 'YYYY-MM-DD') as day`;
  const { day } = row as { day: string };
  const [counters, ledger] = await Promise.all([
    sql<SpendingOfDay['counters'][number][]>`
      select counter as name, used::float8 as used, reserved::float8 as reserved from daily_counters
      where organization_id = ${organizationId} and day = ${day}::date order by counter`,
    sql<SpendingOfDay['ledger'][number][]>`
      select kind, model, count(*)::integer as steps, coalesce(sum(input_tokens), 0)::float8 as input_tokens,
        coalesce(sum(output_tokens), 0)::float8 as output_tokens, sum(credits)::float8 as credits,
        (count(*) filter (where not priced))::integer as unpriced
      from ledger where organization_id = ${organizationId} and day = ${day}::date
      group by kind, model order by kind, model`,
  ]);
  const none = { name: creditsCounter, used: 0, reserved: 0 };
  const all = counters.some(({ name }) => name === creditsCounter) ? counters : [none, ...counters];
  return {
    day,
    counters: all.map((one) => {
      const allowed = allowedOf(one.name, limits);
      return allowed === undefined ? one : { ...one, allowed };
    }),
    ledger: [...ledger],
  };
}

/** Returns the credits spent on each of the last days, including today, oldest first. */
export async function readCreditsByDay(
  sql: Sql,
  organizationId: string,
  days: number,
): Promise<{ day: string; credits: number }[]> {
  const rows = await sql<{ day: string; credits: number }[]>`
    select to_char(shown, 'YYYY-MM-DD') as day, coalesce(used, 0)::float8 as credits
    from generate_series(${today(sql)} - ${days - 1}::integer, ${today(sql)}, interval '1 day') as shown
      left join daily_counters on organization_id = ${organizationId} and day = shown::date
        and counter = ${creditsCounter}
    order by shown`;
  return [...rows];
}

function allowedOf(name: string, limits: SpendingLimits): number | null | undefined {
  if (name === creditsCounter) return limits.creditsPerDay;
  return Object.entries(limits).find(([known]) => known === name)?.[1];
}
