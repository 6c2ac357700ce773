/**
 * Work is stored as the rows of a group; a worker claims a row and holds it under a lease. Only the
 * code that adds and runs the work knows its content. Times are those of the database, so no
 * worker's clock decides which worker is alive. Lock order: the object of the work, the group, its
 * rows by number.
 */
import { columnsOfRows } from '../../database/columns-of-rows.ts';
import type { Sql } from '../../database/database.ts';

export interface WorkGroup {
  readonly kind: string;
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** The maximum number of rows that may be leased at a time. */
  readonly atOnce: number;
}

/** The items of a group, by number, that one row covers. */
export interface WorkRange {
  readonly firstItem: number;
  readonly lastItem: number;
}

export interface HeldWork {
  readonly kind: string;
  readonly organizationId: string;
  readonly groupId: string;
  readonly number: number;
  /** The number of the lease, unique to one claim. */
  readonly lease: string;
}

export interface ClaimedWork extends HeldWork, WorkRange {
  readonly projectId: string;
  /** The cost of attempts since the last progress, including this one, in fifths of an attempt. */
  readonly attemptCost: number;
}

export const workChannel = 'proofmark_work';
/** The cost of an attempt that did not end, because its worker died or failed. */
export const costOfAttempt = 5;
/**
 * The cost of an attempt that was interrupted: this process was stopped or paused, or the database
 * was unreachable.
 */
export const costOfInterruption = 1;

const columnsOfWork = columnsOfRows<WorkRange>([
  { name: 'number', type: 'integer', of: (_, index) => index + 1 },
  { name: 'first_item', type: 'integer', of: (row) => row.firstItem },
  { name: 'last_item', type: 'integer', of: (row) => row.lastItem },
]);

/** Adds a group. A group with the same id is replaced, and its leases end. */
export async function addWork(
  sql: Sql,
  group: WorkGroup,
  ranges: readonly WorkRange[],
): Promise<void> {
  const { kind, id, organizationId, projectId, atOnce } = group;
  const rows = columnsOfWork.of(ranges);
  // The statements are sent together. If one fails, all of them fail.
  await Promise.all([
    sql`delete from work_groups where kind = ${kind} and id = ${id}`,
    sql`
      insert into work_groups (kind, id, organization_id, project_id, at_once)
      values (${kind}, ${id}, ${organizationId}, ${projectId}, ${atOnce})`,
    sql`
      insert into leased_work (kind, group_id, organization_id, ${columnsOfWork.names})
      select ${kind}, ${id}, ${organizationId}, ${columnsOfWork.names} from ${rows} work`,
    sql`select pg_notify(${workChannel}, ${kind})`,
  ]);
}

/**
 * Adds rows after those of an open group. The caller must hold the lease of a row, so that the
 * group does not end in the meantime.
 */
export async function addToWork(
  sql: Sql,
  { kind, groupId, organizationId }: Pick<HeldWork, 'kind' | 'groupId' | 'organizationId'>,
  ranges: readonly WorkRange[],
): Promise<void> {
  await Promise.all([
    sql`
      insert into leased_work (kind, group_id, organization_id, number, first_item, last_item)
      select ${kind}, ${groupId}, ${organizationId}, added.number + (
          select max(number) from leased_work where kind = ${kind} and group_id = ${groupId}),
        first_item, last_item
      from ${columnsOfWork.of(ranges)} added`,
    sql`select pg_notify(${workChannel}, ${kind})`,
  ]);
}

/**
 * Adds one row at the end of a group with a running row, and deletes the completed rows of the
 * group. The caller must have locked the group's other rows.
 */
export async function addBehind(
  sql: Sql,
  { kind, id, organizationId }: WorkGroup,
  { firstItem, lastItem }: WorkRange,
): Promise<void> {
  await sql`delete from leased_work where kind = ${kind} and group_id = ${id} and status = 'done'`;
  await sql`
    insert into leased_work (kind, group_id, organization_id, number, first_item, last_item)
    select ${kind}, ${id}, ${organizationId}, max(number) + 1, ${firstItem}, ${lastItem}
    from leased_work where kind = ${kind} and group_id = ${id}`;
}

export async function deleteOverWork(sql: Sql, kinds: readonly string[]): Promise<number> {
  const gone =
    await sql`delete from work_groups where is_over and kind = any (${kinds as string[]})`;
  return gone.count;
}

export interface Claimer {
  readonly name: string;
  /**
   * The highest lease number that the claimer has received. If it holds work with a higher number,
   * the answer was lost, so that work is returned again.
   */
  readonly highestLease: string;
  /** True to wait while other claimers claim, false to try again later. */
  readonly waits: boolean;
}

/**
 * Claims work of all organizations in fair turns, leased for `leaseMs`. If the answer is lost, only
 * a call with a claimer gets the same work again.
 */
export async function claimWork(
  sql: Sql,
  kind: string,
  most: number,
  leaseMs: number,
  claimer?: Claimer,
): Promise<ClaimedWork[]> {
  const { name = null, highestLease = '0', waits = true } = claimer ?? {};
  const rows = await sql<Omit<ClaimedWork, 'kind'>[]>`
    select organization_id, project_id, group_id, number, lease::text, first_item, last_item, attempt_cost
    from claim_work(${kind}, ${most}, ${leaseMs / 1000}, ${costOfAttempt}, ${name}, ${highestLease}::bigint, ${waits})`;
  return rows.map((row) => ({ kind, ...row }));
}

/** Counts the rows of silent workers that no other worker has taken over yet. */
export async function countSilentWork(sql: Sql, kind: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select silent_work(${kind}) as count`;
  return row?.count ?? 0;
}

/**
 * Locks the group before its rows. Call it if the transaction also completes work and the group may
 * be replaced at the same time.
 */
export async function lockGroup(
  sql: Sql,
  { kind, groupId }: { readonly kind: string; readonly groupId: string },
): Promise<void> {
  await sql`select from work_groups where kind = ${kind} and id = ${groupId} for no key update`;
}

/**
 * Returns, for each of these leases of one group, whether it is held. A held row is locked until
 * the transaction ends, so that no worker takes it over. `madeProgress` resets the counted
 * attempts.
 */
export async function holdWork(
  sql: Sql,
  { kind, groupId }: { readonly kind: string; readonly groupId: string },
  updates: readonly { readonly held: HeldWork; readonly madeProgress: boolean }[],
): Promise<boolean[]> {
  const numbers = updates.map(({ held }) => held.number);
  const rows = await sql<{ number: number; lease: string; attemptCost: number }[]>`
    select number, lease::text, attempt_cost from leased_work
    where kind = ${kind} and group_id = ${groupId} and number = any (${numbers})
      and status = 'leased' and leased_until > clock_timestamp()
    order by number for no key update`;
  const standing = new Map(rows.map((row) => [row.number, row]));
  const isHeld = updates.map(({ held }) => standing.get(held.number)?.lease === held.lease);
  const toRenew = updates.filter(
    ({ held, madeProgress }, index) =>
      madeProgress &&
      isHeld[index] &&
      (standing.get(held.number)?.attemptCost ?? 0) > costOfAttempt,
  );
  if (toRenew.length > 0) {
    const renewed = toRenew.map(({ held }) => held.number);
    await sql`
      update leased_work set attempt_cost = ${costOfAttempt}
      where kind = ${kind} and group_id = ${groupId} and number = any (${renewed})`;
  }
  return isHeld;
}

/**
 * Returns `lost` if the lease was lost, `last` if this was the last open work of its group, and
 * `left` if other work is left.
 */
export async function completeWork(sql: Sql, held: HeldWork): Promise<'lost' | 'left' | 'last'> {
  const [row] = await sql<{ outcome: 'lost' | 'left' | 'last' }[]>`
    select complete_work(${held.kind}, ${held.groupId}, ${held.number}, ${held.lease}::bigint) as outcome`;
  return row?.outcome ?? 'lost';
}

export async function returnFailed(sql: Sql, held: HeldWork, pauseMs: number): Promise<void> {
  const { kind, groupId, number, lease } = held;
  await sql`
    update leased_work set status = 'open', leased_until = null,
      not_before = clock_timestamp() + make_interval(secs => ${pauseMs / 1000})
    where kind = ${kind} and group_id = ${groupId} and number = ${number} and lease = ${lease}::bigint
      and status = 'leased'`;
  await sql`select pg_notify(${workChannel}, ${kind})`;
}

/**
 * Returns interrupted work, which can be claimed again at once. Most of the cost of this attempt is
 * subtracted, even if another worker has already taken over the work.
 */
export async function returnInterrupted(sql: Sql, held: HeldWork): Promise<void> {
  const { kind, groupId, number, lease } = held;
  await sql`
    update leased_work set
      status = case when lease = ${lease}::bigint then 'open' else status end,
      leased_until = case when lease = ${lease}::bigint then null else leased_until end,
      not_before = case when lease = ${lease}::bigint then clock_timestamp() else not_before end,
      attempt_cost = greatest(attempt_cost - ${costOfAttempt - costOfInterruption}, 0)
    where kind = ${kind} and group_id = ${groupId} and number = ${number} and status <> 'done'`;
  await sql`select pg_notify(${workChannel}, ${kind})`;
}

/** Ends a group. All its leases end, and none of its rows can be claimed. */
export async function closeWork(
  sql: Sql,
  { kind, groupId }: { readonly kind: string; readonly groupId: string },
): Promise<void> {
  await sql`update work_groups set is_over = true where kind = ${kind} and id = ${groupId}`;
  await sql`
    with left_over as (
      select number from leased_work where kind = ${kind} and group_id = ${groupId} and status <> 'done'
      order by number for no key update)
    update leased_work set status = 'done', leased_until = null
    from left_over where kind = ${kind} and group_id = ${groupId} and leased_work.number = left_over.number`;
}

/**
 * Ends the rows that cover only these items, as `closeWork` ends a whole group. The rest of the
 * group continues.
 */
export async function closeItems(
  sql: Sql,
  { kind, groupId }: { readonly kind: string; readonly groupId: string },
  items: readonly number[],
): Promise<void> {
  if (items.length === 0) return;
  await sql`
    with left_over as (
      select number from leased_work where kind = ${kind} and group_id = ${groupId} and status <> 'done'
        and first_item = last_item and first_item = any (${items})
      order by number for no key update)
    update leased_work set status = 'done', leased_until = null
    from left_over where kind = ${kind} and group_id = ${groupId} and leased_work.number = left_over.number`;
}
