/**
 * The credits of a run that may spend no more than its launch says. One row is what all its trials and judges count by, with
 * the arithmetic of the day: what is spent, and what is set aside for steps under way. Whoever changes it and the credits of
 * the day changes it first, or two of them could wait for each other.
 */
import type { LedgerKind } from '@proofmark/domain';
import type { Fragment, Sql } from '../../database/database.ts';

export interface RunCredits {
  readonly maxCredits: number;
  readonly used: number;
  readonly reserved: number;
}

export async function limitRunCredits(
  sql: Sql,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  maxCredits: number,
): Promise<void> {
  await sql`
    insert into run_credits (run_id, organization_id, max_credits)
    values (${id}, ${organizationId}, ${maxCredits}::numeric)`;
}

/** Nothing where its launch said nothing of credits. */
export async function readRunCredits(sql: Sql, runId: string): Promise<RunCredits | undefined> {
  const [row] = await sql<RunCredits[]>`
    select max_credits::float8 as max_credits, used::float8 as used, reserved::float8 as reserved
    from run_credits where run_id = ${runId}`;
  return row;
}

/**
 * Whether that much could still be set aside, and now is. Its row is held either way: who is then asked whether somebody is
 * under way cannot miss one who has just given some back.
 */
export async function reserveOfRun(sql: Sql, runId: string, credits: number): Promise<boolean> {
  const [, { count }] = await Promise.all([
    sql`select from run_credits where run_id = ${runId} for update`,
    sql`
      update run_credits set reserved = reserved + ${credits}::numeric
      where run_id = ${runId} and used + reserved + ${credits}::numeric <= max_credits`,
  ]);
  return count > 0;
}

/** What is set aside whatever the limit says, or, below zero, given back. */
export async function addReservedOfRun(sql: Sql, runId: string, credits: number): Promise<void> {
  await sql`
    update run_credits set reserved = greatest(0, reserved + ${credits}::numeric)
    where run_id = ${runId}`;
}

/** Who may give some of it back: steps of its trials and judges that have begun and do not wait themselves. */
export async function isRunUnderWay(sql: Sql, runId: string): Promise<boolean> {
  const others = await sql`
    select from credit_reservations
    where ref >= ${`${runId}/`} and ref < ${`${runId}0`}
      and kind in ('trial_step', 'judge') and not is_waiting limit 1`;
  return others.length > 0;
}

/** Only what trials cost, and judges who are asked about them. */
export function isKindOfRuns(kind: LedgerKind): boolean {
  return kind === 'trial_step' || kind === 'judge';
}

/** Of steps in several runs at once: taken in one order, and before the credits of the day. */
export async function holdCreditsOfRuns(sql: Sql, refs: readonly string[]): Promise<void> {
  await sql`
    select from run_credits where run_id = any (${refs.map(runOfRef)}) order by run_id for update`;
}

/** A trial is known by its run, a slash and its number. Whatever else has a slash in it names no run. */
export function runOfRef(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf('/')));
}

/** The same for a column of refs. */
export function runOfRefs(sql: Sql): Fragment {
  return sql`split_part(ref, '/', 1)`;
}
