/**
 * Calls after trials that are still to be made. They are owed from the moment `before` begins, or the first step where
 * there is none, and whoever takes them makes them: once at most, whoever dies meanwhile. Whoever made none of them gives
 * them back. The servers of a run stay pinned for as long as it owes some.
 */
import type { TrialWarning } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';
import type { RunLocation } from './run-location.ts';
import { dropPinnedServers } from './run-plans.ts';

export interface OwedTeardown {
  readonly runId: string;
  readonly ordinal: number;
  /** The lease under which the trial was begun, or that of a settler. */
  readonly lease: string;
}

/** Whoever owed them before does not any more: the trial has begun again. */
export async function oweTeardowns(
  sql: Sql,
  { organizationId, projectId, runId }: RunLocation,
  owed: readonly Omit<OwedTeardown, 'runId'>[],
): Promise<void> {
  const rows = JSON.stringify(owed);
  await sql`
    insert into owed_teardowns (run_id, ordinal, organization_id, project_id, lease)
    select ${runId}, ordinal, ${organizationId}, ${projectId}, lease
    from json_to_recordset(${rows}::text::json) as owed (ordinal integer, lease bigint)
    on conflict (run_id, ordinal) do update
      set lease = excluded.lease, abandoned_since = null, taken_at = null`;
}

/** Whether they were still to be made by whoever holds this lease. */
export async function leaseTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<boolean> {
  const taken = await sql`
    update owed_teardowns set taken_at = clock_timestamp()
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint and taken_at is null`;
  return taken.count > 0;
}

/** Whoever took them lives. Whether they are still with it. */
export async function renewTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<boolean> {
  const kept = await sql`
    update owed_teardowns set taken_at = clock_timestamp()
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint and taken_at is not null`;
  return kept.count > 0;
}

/** None of them was made. */
export async function releaseTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<void> {
  await sql`
    update owed_teardowns set taken_at = null
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint`;
}

/**
 * They are not owed any more, and what is to be told of them stands with the trial, whatever becomes of it. The run is
 * held first: of all who settle the last of its calls or end it, the last one then sees that nothing is owed.
 */
export async function settleTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
  warnings: readonly TrialWarning[],
): Promise<void> {
  const [run] = await sql<{ isOpen: boolean }[]>`
    select status in ('pending', 'running') as is_open from eval_runs where id = ${runId} for no key update`;
  if (warnings.length > 0) await addWarnings(sql, runId, ordinal, warnings);
  await sql`
    delete from owed_teardowns where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint`;
  if (run?.isOpen === false) await dropPinnedServers(sql, runId);
}

/** A trial that was begun several times keeps what is known of each, and the same but once. */
async function addWarnings(
  sql: Sql,
  runId: string,
  ordinal: number,
  warnings: readonly TrialWarning[],
): Promise<void> {
  const [row] = await sql<{ warnings: string | null }[]>`
    select warnings from eval_iterations where run_id = ${runId} and ordinal = ${ordinal}`;
  const known = row?.warnings ? readRecords(row.warnings) : [];
  const all = new Map([...known, ...warnings].map((one) => [JSON.stringify(one), one]));
  await sql`
    update eval_iterations set warnings = ${JSON.stringify([...all.values()])}
    where run_id = ${runId} and ordinal = ${ordinal}`;
}

/** The lease of whoever takes what its worker left. */
export const leaseOfTeardownSettler = '0';

/** Of every organization: takes some whose trials ended that long ago without them. */
export async function leaseAbandonedTeardowns(
  sql: Sql,
  graceMs: number,
  most: number,
): Promise<(RunLocation & { readonly ordinal: number })[]> {
  return sql`select * from take_abandoned_teardowns(${graceMs / 1000}, ${most})`;
}

/** Of trials that have ended: taken by somebody who has been silent for that long. */
export async function listLostTeardowns(
  sql: Sql,
  silentMs: number,
): Promise<(OwedTeardown & { readonly organizationId: string })[]> {
  return sql`select * from lost_teardowns(${silentMs / 1000})`;
}
