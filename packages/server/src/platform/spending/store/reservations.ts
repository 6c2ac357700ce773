/**
 * Credits set aside for a step that has begun under a cap, so that steps at the same time do not pass it together. A
 * reservation ends with the ledger row of its step; one whose owner is silent is paid for at its worst case.
 */
import type { LedgerEntry, LedgerKind } from '@proofmark/domain';
import { columnsOfRows } from '../../database/columns-of-rows.ts';
import type { Database, Sql } from '../../database/database.ts';
import { inEveryOrganization } from '../../database/in-every-organization.ts';
import { creditsCounter, type PlaceOfSpending, writeLedger } from './ledger.ts';
import {
  addReservedOfRun,
  holdCreditsOfRuns,
  isKindOfRuns,
  isRunUnderWay,
  reserveOfRun,
  runOfRef,
  runOfRefs,
} from './run-credits.ts';
import { today } from './utc-day.ts';

export interface Reservation {
  readonly kind: LedgerKind;
  readonly ref: string;
  readonly step: string;
  readonly model: string;
  /** The most that the step can cost. */
  readonly credits: number;
}

/** What refused to set credits aside: those of the day, or those of the run. */
export type SpentOut = 'day' | 'run';

/**
 * One conditional statement over the day: nothing is set aside when that could pass the cap. Where the launch of the run
 * says what it may spend, another over the run before it, and both or none.
 */
export async function reserveCredits(
  sql: Sql,
  { organizationId, projectId }: PlaceOfSpending,
  { kind, ref, step, model, credits }: Reservation,
  cap: number,
  { isOfLimitedRun = false }: SpendingRun = {},
): Promise<{ readonly isReserved: boolean; readonly spentOut?: SpentOut }> {
  const runId = isOfLimitedRun ? runOfRef(ref) : undefined;
  if (runId !== undefined && !(await reserveOfRun(sql, runId, credits))) {
    return { isReserved: false, spentOut: 'run' };
  }
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
  if (count > 0) return { isReserved: true };
  if (runId !== undefined) await addReservedOfRun(sql, runId, -credits);
  return { isReserved: false, spentOut: 'day' };
}

/** Whether the launch of the run limits what it may spend. */
export interface SpendingRun {
  readonly isOfLimitedRun?: boolean;
}

/**
 * For a step that calls a model again and again: what it needs from now on, in place of what was set aside for it before.
 * Where that does not fit, it keeps what it has `spent` and waits, if somebody is under way who may give some back: others,
 * or another call of the same step.
 */
export async function reserveAnew(
  sql: Sql,
  place: PlaceOfSpending,
  reservation: Reservation & { readonly spent: number; readonly isUnderWay: boolean },
  cap: number,
  run: SpendingRun = {},
): Promise<{
  readonly isReserved: boolean;
  readonly mayWait: boolean;
  readonly spentOut?: SpentOut;
}> {
  const { spent, isUnderWay, ...wanted } = reservation;
  const [, { isReserved, spentOut = 'day' }] = await Promise.all([
    release(sql, [wanted]),
    reserveCredits(sql, place, wanted, cap, run),
  ]);
  if (isReserved) return { isReserved, mayWait: false };
  const kept = { ...wanted, credits: spent };
  if (spent > 0) await hold(sql, place, kept, { isWaiting: !isUnderWay });
  return {
    isReserved,
    mayWait: isUnderWay || (await mayComeBack(sql, place, wanted.ref, spentOut)),
    spentOut,
  };
}

/** Of what was refused: only who spends of the same gives back to it. */
export function mayComeBack(
  sql: Sql,
  { organizationId }: PlaceOfSpending,
  ref: string,
  spentOut: SpentOut,
): Promise<boolean> {
  return spentOut === 'run'
    ? isRunUnderWay(sql, runOfRef(ref))
    : isSomebodyUnderWay(sql, organizationId);
}

/** Who may give credits back. Asked after a reservation that did not fit, whose lock nobody can pass to give some back unseen. */
async function isSomebodyUnderWay(sql: Sql, organizationId: string): Promise<boolean> {
  const others = await sql`
    select from credit_reservations
    where organization_id = ${organizationId} and day = ${today(sql)} and not is_waiting limit 1`;
  return others.length > 0;
}

/** `credits` in place of what was set aside before. Nobody waits for what is spent, unless a call of the step `isUnderWay`. */
export async function keepSpent(
  sql: Sql,
  place: PlaceOfSpending,
  reservation: Reservation,
  isUnderWay: boolean,
): Promise<void> {
  await release(sql, [reservation]);
  if (reservation.credits > 0) await hold(sql, place, reservation, { isWaiting: !isUnderWay });
}

/** Whatever the cap says: it has been spent. */
async function hold(
  sql: Sql,
  { organizationId, projectId }: PlaceOfSpending,
  { kind, ref, step, model, credits }: Reservation,
  { isWaiting }: { readonly isWaiting: boolean },
): Promise<void> {
  if (isKindOfRuns(kind)) await addReservedOfRun(sql, runOfRef(ref), credits);
  await sql`
    with counted as (
      insert into daily_counters as day_row (organization_id, day, counter, used, reserved)
      values (${organizationId}, ${today(sql)}, ${creditsCounter}, 0, ${credits}::numeric)
      on conflict (organization_id, day, counter) do update set reserved = day_row.reserved + excluded.reserved
      returning day)
    insert into credit_reservations (kind, ref, step, organization_id, project_id, day, model, credits, is_waiting)
    select ${kind}, ${ref}, ${step}, ${organizationId}, ${projectId}, day, ${model}, ${credits}::numeric, ${isWaiting}
    from counted`;
}

/** Its owner is not silent: it waits for a place, or for an answer. */
export async function renew(sql: Sql, { kind, ref, step }: PaidStepKey): Promise<void> {
  await sql`
    update credit_reservations set reserved_at = clock_timestamp()
    where kind = ${kind} and ref = ${ref} and step = ${step}`;
}

/** Pays for the step and ends its reservation, if it has one. */
export async function settle(sql: Sql, place: PlaceOfSpending, entry: LedgerEntry): Promise<void> {
  await release(sql, [entry]);
  await writeLedger(sql, place, [entry]);
}

export type PaidStepKey = Pick<LedgerEntry, 'kind' | 'ref' | 'step'>;

const columns = columnsOfRows<PaidStepKey>([
  { name: 'kind', type: 'text', of: ({ kind }) => kind },
  { name: 'ref', type: 'text', of: ({ ref }) => ref },
  { name: 'step', type: 'text', of: ({ step }) => step },
]);

/** Of steps that are paid for in the same transaction, or that were never begun. */
export async function release(sql: Sql, steps: readonly PaidStepKey[]): Promise<void> {
  if (steps.length === 0) return;
  await sql`
    with gone as (
      delete from credit_reservations held using ${columns.of(steps)} steps
      where held.kind = steps.kind and held.ref = steps.ref and held.step = steps.step
      returning held.kind, held.ref, held.organization_id, held.day, held.credits),
    freed as (select organization_id, day, sum(credits) as credits from gone group by organization_id, day),
    of_runs as (
      update run_credits run set reserved = greatest(0, run.reserved - freed_of_run.credits)
      from (select ${runOfRefs(sql)} as run_id, sum(credits) as credits from gone
        where kind in ('trial_step', 'judge') group by 1) freed_of_run
      where run.run_id = freed_of_run.run_id returning run.run_id)
    update daily_counters day_row set reserved = greatest(0, day_row.reserved - freed.credits) from freed
    where day_row.organization_id = freed.organization_id and day_row.day = freed.day
      and day_row.counter = ${creditsCounter} and (select count(*) from of_runs) >= 0`;
}

/** Of trials that were taken over: whoever held them before has ended, and nobody knows what the last call cost. */
export async function settleOfEarlierHolders(
  sql: Sql,
  place: PlaceOfSpending,
  { refs, isOwn }: { readonly refs: readonly string[]; isOwn(step: string): boolean },
): Promise<void> {
  const held = await sql<Reservation[]>`
    select kind, ref, step, model, credits::float8 as credits from credit_reservations
    where kind in ('trial_step', 'judge') and ref = any (${[...refs]}) for update`;
  for (const reservation of held.filter(({ step }) => !isOwn(step))) {
    await settle(sql, place, { ...reservation, ...unknownTokens, priced: true });
  }
}

const unknownTokens = { inputTokens: null, outputTokens: null };

/**
 * Says how many there were. A trial may take an hour and is heard only when it calls its model, or a judge; what a killed
 * one left is paid by whoever takes its slice over. A judge of a trial is reserved for by its model and its lease, one of
 * a run by an id for each call.
 */
export function settleSilentReservations(database: Database): Promise<number> {
  return inEveryOrganization(database, async (sql) => {
    const silent = await sql<(Reservation & PlaceOfSpending)[]>`
      select kind, ref, step, organization_id, project_id, model, credits::float8 as credits
      from credit_reservations
      where reserved_at < now() - case
        when kind = 'trial_step' or (kind = 'judge' and step like '% %') then interval '2 hours'
        else interval '15 minutes' end
      for update skip locked`;
    await holdCreditsOfRuns(
      sql,
      silent.map(({ ref }) => ref),
    );
    for (const { organizationId, projectId, ...reservation } of silent) {
      const place = { organizationId, projectId };
      await settle(sql, place, { ...reservation, ...unknownTokens, priced: true });
    }
    return { count: silent.length };
  });
}
