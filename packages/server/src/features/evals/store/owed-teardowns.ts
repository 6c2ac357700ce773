/**
 * Pending clean-up calls after trials. They are registered before a trial's first set-up call or
 * step. The process that leases them makes them, at most once even if processes die. A run's
 * servers stay pinned while any of its clean-up calls are pending.
 */
import type { TrialWarning } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';
import type { RunLocation } from './run-location.ts';
import { dropPinnedServers } from './run-plans.ts';

export interface OwedTeardown {
  readonly runId: string;
  readonly ordinal: number;
  /** The lease of the trial when it began, or `leaseOfTeardownSettler`. */
  readonly lease: string;
}

/** If a trial starts again, its new registration replaces the earlier one. */
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

/**
 * Returns whether the clean-up calls were still pending under this lease. If so, this process must
 * make them.
 */
export async function leaseTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<boolean> {
  const taken = await sql`
    update owed_teardowns set taken_at = clock_timestamp()
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint and taken_at is null`;
  return taken.count > 0;
}

/** Renews the lease of a living process. Returns whether the process still holds it. */
export async function renewTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<boolean> {
  const kept = await sql`
    update owed_teardowns set taken_at = clock_timestamp()
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint and taken_at is not null`;
  return kept.count > 0;
}

/** Marks the clean-up calls as pending again, because the process has made none of them. */
export async function releaseTeardown(
  sql: Sql,
  { runId, ordinal, lease }: OwedTeardown,
): Promise<void> {
  await sql`
    update owed_teardowns set taken_at = null
    where run_id = ${runId} and ordinal = ${ordinal} and lease = ${lease}::bigint`;
}

/**
 * Removes the pending calls and adds their warnings to the trial, even if the trial has ended.
 * Locks the run first: the last of several concurrent transactions then finds no pending calls and
 * unpins the servers.
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

/** The lease of the settler, the job that makes clean-up calls left behind by a dead worker. */
export const leaseOfTeardownSettler = '0';

/**
 * Leases some clean-up calls, in every organization, of trials that ended at least `graceMs` ago
 * without making them.
 */
export async function leaseAbandonedTeardowns(
  sql: Sql,
  graceMs: number,
  most: number,
): Promise<(RunLocation & { readonly ordinal: number })[]> {
  return sql`select * from take_abandoned_teardowns(${graceMs / 1000}, ${most})`;
}

/** Lists clean-up calls of ended trials whose lease has not been renewed for `silentMs`. */
export async function listLostTeardowns(
  sql: Sql,
  silentMs: number,
): Promise<(OwedTeardown & { readonly organizationId: string })[]> {
  return sql`select * from lost_teardowns(${silentMs / 1000})`;
}
