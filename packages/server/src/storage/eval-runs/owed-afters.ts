/**
 * Calls after trials that are still to be made. They are owed from the moment the trial begins, and whoever takes them
 * makes them: once at most, whoever dies meanwhile. The servers of a run stay pinned for as long as it owes some.
 */
import type { TrialWarning } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import type { PlaceOfRun } from './place-of-run.ts';
import { dropPinnedServers } from './run-plans.ts';

export interface OwedAfter {
  readonly runId: string;
  readonly ordinal: number;
  /** The lease under which the trial was begun. */
  readonly lease: string;
}

/** Whoever owed them before does not any more: the trial begins again. */
export async function oweAfters(
  sql: Sql,
  { organizationId, projectId, runId }: PlaceOfRun,
  owed: readonly Omit<OwedAfter, 'runId'>[],
): Promise<void> {
  const rows = JSON.stringify(owed);
  await sql`
    insert into owed_afters (run_id, ordinal, organization_id, project_id, lease)
    select ${runId}, ordinal, ${organizationId}, ${projectId}, lease
    from json_to_recordset(${rows}::text::json) as told (ordinal integer, lease bigint)
    on conflict (run_id, ordinal) do update
      set lease = excluded.lease, left_since = null, taken_at = null`;
}

/** Whether they were still to be made by whoever holds this lease. */
export async function takeAfter(sql: Sql, { runId, ordinal, lease }: OwedAfter): Promise<boolean> {
  const taken = await sql`
    update owed_afters set taken_at = clock_timestamp()
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint and taken_at is null`;
  return taken.count > 0;
}

/** They are not owed any more. A trial that is still open is written with its warnings later. */
export async function settleAfter(
  sql: Sql,
  { runId, ordinal, lease }: OwedAfter,
  warnings: readonly TrialWarning[],
): Promise<void> {
  const settled = await sql`
    delete from owed_afters where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint`;
  if (settled.count === 0) return;
  if (warnings.length > 0) {
    await sql`
      update eval_iterations set warnings = ${JSON.stringify(warnings)}
      where run_id = ${runId} and ordinal = ${ordinal} and status not in ('pending', 'running')`;
  }
  const open = await sql`
    select from eval_runs where id = ${runId} and status in ('pending', 'running')`;
  if (open.count === 0) await dropPinnedServers(sql, runId);
}

/** The lease of whoever takes what its worker left. */
export const leaseOfSettler = '0';

/** Of every organization: takes some whose trials ended that long ago without them. */
export async function takeLeftAfters(
  sql: Sql,
  graceMs: number,
  most: number,
): Promise<(PlaceOfRun & { readonly ordinal: number })[]> {
  return sql`select * from take_left_afters(${graceMs / 1000}, ${most})`;
}

/** Taken that long ago, and nobody has said a word of them since. */
export async function listLostAfters(
  sql: Sql,
  ageMs: number,
): Promise<(OwedAfter & { readonly organizationId: string })[]> {
  return sql`select * from lost_afters(${ageMs / 1000})`;
}
