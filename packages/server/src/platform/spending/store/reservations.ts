/**
 * Credits reserved for running steps, so that concurrent steps together do not exceed a limit. The
 * ledger row of a step ends its reservation. If a reservation is no longer renewed, its worst case
 * is charged.
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
  /** The worst case of the step's cost. */
  readonly credits: number;
}

export type SpentOut = 'day' | 'run';

/**
 * Reserves credits of the day in one conditional statement, unless they could exceed `cap`. If the
 * run also has a credit limit, a statement for the run comes first; either both reservations take
 * effect or neither.
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

export interface SpendingRun {
  readonly isOfLimitedRun?: boolean;
}

/**
 * Replaces the reservation of a step that calls a model repeatedly. If the new amount exceeds a
 * limit, only `spent` stays reserved. The step then waits if other steps, or another call of this
 * step, may release credits.
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

/**
 * Returns whether running steps may still release credits of the limit that rejected a reservation
 * (`spentOut`). Only steps under the same limit can release them.
 */
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

/**
 * Returns whether a running step may release credits. Call it in the transaction of a failed
 * reservation, whose lock prevents a release between the two statements.
 */
async function isSomebodyUnderWay(sql: Sql, organizationId: string): Promise<boolean> {
  const others = await sql`
    select from credit_reservations
    where organization_id = ${organizationId} and day = ${today(sql)} and not is_waiting limit 1`;
  return others.length > 0;
}

/**
 * Replaces the reservation by `credits`. Other steps then no longer wait for this reservation to
 * shrink, unless another call of the step `isUnderWay`.
 */
export async function keepSpent(
  sql: Sql,
  place: PlaceOfSpending,
  reservation: Reservation,
  isUnderWay: boolean,
): Promise<void> {
  await release(sql, [reservation]);
  if (reservation.credits > 0) await hold(sql, place, reservation, { isWaiting: !isUnderWay });
}

/** Reserves credits without checking the cap, since the credits have already been spent. */
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

/**
 * Renews the reservation of a step that waits for a place or an answer, so that the reservation
 * does not count as abandoned.
 */
export async function renew(sql: Sql, { kind, ref, step }: PaidStepKey): Promise<void> {
  await sql`
    update credit_reservations set reserved_at = clock_timestamp()
    where kind = ${kind} and ref = ${ref} and step = ${step}`;
}

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

/** Ends the reservations of steps that are charged in the same transaction, or that never began. */
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

/**
 * Charges the reservations of workers that ran these trials before. Those workers have ended, and
 * the cost of their last call is unknown.
 */
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
 * Charges reservations that are no longer renewed; returns their number. A trial has 2 hours, since
 * it renews its reservation only when it calls a model or a judge. The step of a judge in a trial
 * contains a space (model and lease); the step of a judge of a run is an id.
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
