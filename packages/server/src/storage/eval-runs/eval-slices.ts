/**
 * Slices of runs and who may write them. Locks are taken in one order by everybody: the run, then its slices, then its
 * trials. Whoever claims, completes or closes a slice holds the run. Time is the database's, so no clock of a worker
 * decides who is alive.
 */
import type { Database, Sql } from '../database/database.ts';

export const leaseSeconds = 6;

export interface HeldSlice {
  readonly organizationId: string;
  readonly runId: string;
  readonly slice: number;
  /** The number that proves the lease. */
  readonly lease: number;
}

export interface ClaimedSlice extends HeldSlice {
  readonly firstOrdinal: number;
  readonly lastOrdinal: number;
}

/**
 * The next open slice of a run that has not ended; nothing when there is none, or when as many are leased as the run
 * may have at a time.
 */
export async function claimSlice(
  sql: Sql,
  organizationId: string,
  runId: string,
): Promise<ClaimedSlice | undefined> {
  const [run] = await sql<{ lanes: number; status: string }[]>`
    select lanes, status from eval_runs
    where id = ${runId} and status in ('pending', 'running') for no key update`;
  if (run === undefined) return undefined;
  const [row] = await sql<Omit<ClaimedSlice, 'organizationId' | 'runId'>[]>`
    update eval_slices set status = 'leased', lease = lease + 1,
      leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where run_id = ${runId} and slice = (
      select min(slice) from eval_slices where run_id = ${runId} and status = 'open'
        and ${run.lanes} > (
          select count(*) from eval_slices where run_id = ${runId} and status = 'leased'))
    returning slice, lease, first_ordinal, last_ordinal`;
  if (row === undefined) return undefined;
  if (run.status === 'pending') {
    await sql`
      update eval_runs set status = 'running', started_at = now(), revision = revision + 1
      where id = ${runId}`;
  }
  return { organizationId, runId, ...row };
}

/**
 * Those of the leases that still stand, each with whether it was prolonged, which is done if so wished. One that ran out
 * is lost even if nobody has taken it: whoever slept through it took the silence of its own clock for that of a server.
 * A slice that somebody has locked is not waited for, since the end of one large run would hold up the leases of all
 * others: it stands for now, and the next round tells.
 */
export async function standingLeases(
  database: Pick<Database, 'tenant'>,
  held: readonly HeldSlice[],
  prolong: boolean,
): Promise<Map<string, boolean>> {
  const organizations = [...new Set(held.map(({ organizationId }) => organizationId))];
  const wanted = JSON.stringify(
    held.map(({ runId, slice, lease }) => ({ run_id: runId, slice, lease })),
  );
  const rows = await database.tenant(organizations, (sql) => {
    const asked = sql`json_to_recordset(${wanted}::text::json) as held (run_id text, slice integer, lease integer)`;
    const same = sql`eval_slices.run_id = held.run_id and eval_slices.slice = held.slice
      and eval_slices.lease = held.lease and eval_slices.status = 'leased'
      and eval_slices.leased_until > clock_timestamp()`;
    return prolong
      ? // Locked in one order by everybody who locks several.
        sql<StandingSlice[]>`
          with free as (
            select eval_slices.run_id, eval_slices.slice from eval_slices, ${asked} where ${same}
            order by eval_slices.run_id, eval_slices.slice for no key update of eval_slices skip locked),
          prolonged as (
            update eval_slices set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
            from free where eval_slices.run_id = free.run_id and eval_slices.slice = free.slice
            returning eval_slices.run_id, eval_slices.slice)
          select eval_slices.run_id, eval_slices.slice, eval_slices.lease, prolonged.slice is not null as is_prolonged
          from ${asked} join eval_slices on ${same}
          left join prolonged on prolonged.run_id = held.run_id and prolonged.slice = held.slice`
      : sql<StandingSlice[]>`
          select eval_slices.run_id, eval_slices.slice, eval_slices.lease, false as is_prolonged
          from eval_slices, ${asked} where ${same}`;
  });
  return new Map(rows.map((row) => [leaseName(row), row.isProlonged]));
}

type StandingSlice = Omit<HeldSlice, 'organizationId'> & { readonly isProlonged: boolean };

export function leaseName({ runId, slice, lease }: Omit<HeldSlice, 'organizationId'>): string {
  return `${runId} ${slice} ${lease}`;
}

/**
 * For each of these leases of one run, whether it is still held. The caller holds the run, and needs no lock of a slice:
 * nobody takes a lease of the run back, or gives one away, before the caller's transaction ends.
 */
export async function holdsLeases(
  sql: Sql,
  runId: string,
  leases: readonly HeldSlice[],
): Promise<boolean[]> {
  const slices = leases.map(({ slice }) => slice).join();
  const rows = await sql<{ slice: number; lease: number }[]>`
    select slice, lease from eval_slices
    where run_id = ${runId} and slice = any (string_to_array(${slices}, ',')::integer[])
      and status = 'leased' and leased_until > clock_timestamp()`;
  const standing = new Map(rows.map(({ slice, lease }) => [slice, lease]));
  return leases.map(({ slice, lease }) => standing.get(slice) === lease);
}

/** Says how many slices of the run are not done yet; nothing when the lease was lost. The caller holds the run. */
export async function completeSlice(sql: Sql, held: HeldSlice): Promise<number | undefined> {
  const done = await sql`
    update eval_slices set status = 'done', leased_until = null
    where run_id = ${held.runId} and slice = ${held.slice} and lease = ${held.lease} and status = 'leased'`;
  if (done.count === 0) return undefined;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from eval_slices where run_id = ${held.runId} and status <> 'done'`;
  return row?.count ?? 0;
}

/** Gives the slice back, for whoever comes next. */
export async function releaseSlice(sql: Sql, held: HeldSlice): Promise<void> {
  await sql`
    update eval_slices set status = 'open', leased_until = null, lease = lease + 1
    where run_id = ${held.runId} and slice = ${held.slice} and lease = ${held.lease} and status = 'leased'`;
}

/** Nobody who held a slice of the run can write any more. The caller holds the run. */
export async function closeSlices(sql: Sql, runId: string): Promise<void> {
  await sql`
    with open as (
      select slice from eval_slices where run_id = ${runId} and status <> 'done' order by slice for no key update)
    update eval_slices set status = 'done', leased_until = null, lease = lease + 1
    from open where run_id = ${runId} and eval_slices.slice = open.slice`;
}

export async function hasOpenSlice(sql: Sql, runId: string): Promise<boolean> {
  const rows = await sql`
    select from eval_slices where run_id = ${runId} and status = 'open' limit 1`;
  return rows.count > 0;
}

export interface PlaceOfRun {
  readonly organizationId: string;
  readonly projectId: string;
  readonly runId: string;
}

/** Leases that ran out, opened again. */
export async function reopenSilentSlices(sql: Sql): Promise<(PlaceOfRun & { slice: number })[]> {
  return sql`select * from silent_slices()`;
}

export async function listOverdueRuns(sql: Sql): Promise<PlaceOfRun[]> {
  return sql`select * from overdue_runs()`;
}
