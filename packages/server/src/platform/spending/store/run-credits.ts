/**
 * The credits of a run whose launch set a limit. All its trials and judges share one row, with
 * spent credits and credits reserved for running steps. Lock order: this row before the credits of
 * the day, to avoid deadlocks.
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

export async function readRunCredits(sql: Sql, runId: string): Promise<RunCredits | undefined> {
  const [row] = await sql<RunCredits[]>`
    select max_credits::float8 as max_credits, used::float8 as used, reserved::float8 as reserved
    from run_credits where run_id = ${runId}`;
  return row;
}

/**
 * Reserves credits; returns whether they fit. The row is locked in either case, so that a following
 * check for running steps cannot miss a release.
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

/** Adds to the reserved credits without checking the limit. A negative number releases credits. */
export async function addReservedOfRun(sql: Sql, runId: string, credits: number): Promise<void> {
  await sql`
    update run_credits set reserved = greatest(0, reserved + ${credits}::numeric)
    where run_id = ${runId}`;
}

/**
 * Returns whether steps may release credits: running steps of the run's trials and judges that are
 * not waiting themselves.
 */
export async function isRunUnderWay(sql: Sql, runId: string): Promise<boolean> {
  const others = await sql`
    select from credit_reservations
    where ref >= ${`${runId}/`} and ref < ${`${runId}0`}
      and kind in ('trial_step', 'judge') and not is_waiting limit 1`;
  return others.length > 0;
}

/**
 * Returns whether steps of this kind count towards the limit of a run: trials, and judges of
 * trials.
 */
export function isKindOfRuns(kind: LedgerKind): boolean {
  return kind === 'trial_step' || kind === 'judge';
}

/** Locks the credits of several runs. Lock order: by run, and before the credits of the day. */
export async function holdCreditsOfRuns(sql: Sql, refs: readonly string[]): Promise<void> {
  await sql`
    select from run_credits where run_id = any (${refs.map(runOfRef)}) order by run_id for update`;
}

/**
 * Returns the run of a trial, whose ref is the run, a slash and its number. Other refs with a slash
 * match no run.
 */
export function runOfRef(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf('/')));
}

export function runOfRefs(sql: Sql): Fragment {
  return sql`split_part(ref, '/', 1)`;
}
