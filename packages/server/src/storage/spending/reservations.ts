/**
 * Credits set aside for a step that has begun under a cap, so that steps at the same time do not pass it together. A
 * reservation ends with the ledger row of its step; one whose owner is silent is paid for at its worst case.
 */
import type { LedgerEntry, LedgerKind } from '@proofmark/domain';
import type { Database, Sql } from '../database/database.ts';
import { inEveryOrganization } from '../database/in-every-organization.ts';
import { creditsCounter, type PlaceOfSpending, writeLedger } from './ledger.ts';
import { today } from './today.ts';

export interface Reservation {
  readonly kind: LedgerKind;
  readonly ref: string;
  readonly step: string;
  readonly model: string;
  /** The most that the step can cost. */
  readonly credits: number;
}

/** One conditional statement over the day: nothing is set aside when that could pass the cap. */
export async function reserveCredits(
  sql: Sql,
  { organizationId, projectId }: PlaceOfSpending,
  { kind, ref, step, model, credits }: Reservation,
  cap: number,
): Promise<{ readonly isReserved: boolean }> {
  const { count } = await sql`
    with counted as (
      insert into daily_counters as day_row (organization_id, day, counter, used, reserved)
      select ${organizationId}, ${today(sql)}, ${creditsCounter}, 0, ${credits}::numeric
      where ${credits}::numeric <= ${cap}::numeric
      on conflict (organization_id, day, counter) do update set reserved = day_row.reserved + excluded.reserved
        where day_row.used + day_row.reserved + excluded.reserved <= ${cap}::numeric
      returning day)
    insert into credit_reservations (kind, ref, step, organization_id, project_id, day, model, credits)
    select ${kind}, ${ref}, ${step}, ${organizationId}, ${projectId}, day, ${model}, ${credits}::numeric from counted`;
  return { isReserved: count > 0 };
}

/** Pays for the step and ends its reservation, if it has one. */
export async function settle(sql: Sql, place: PlaceOfSpending, entry: LedgerEntry): Promise<void> {
  await release(sql, entry);
  await writeLedger(sql, place, [entry]);
}

async function release(
  sql: Sql,
  { kind, ref, step }: Pick<LedgerEntry, 'kind' | 'ref' | 'step'>,
): Promise<void> {
  await sql`
    with gone as (
      delete from credit_reservations where kind = ${kind} and ref = ${ref} and step = ${step}
      returning organization_id, day, credits)
    update daily_counters day_row set reserved = greatest(0, day_row.reserved - gone.credits) from gone
    where day_row.organization_id = gone.organization_id and day_row.day = gone.day
      and day_row.counter = ${creditsCounter}`;
}

/** Says how many there were. */
export function settleSilentReservations(database: Database): Promise<number> {
  return inEveryOrganization(database, async (sql) => {
    const silent = await sql<(Reservation & PlaceOfSpending)[]>`
      select kind, ref, step, organization_id, project_id, model, credits::float8 as credits
      from credit_reservations where reserved_at < now() - interval '15 minutes'
      for update skip locked`;
    for (const { organizationId, projectId, ...reservation } of silent) {
      const tokens = { inputTokens: null, outputTokens: null };
      await settle(sql, { organizationId, projectId }, { ...reservation, ...tokens, priced: true });
    }
    return { count: silent.length };
  });
}
