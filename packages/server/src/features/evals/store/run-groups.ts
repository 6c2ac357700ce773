/**
 * Groups of runs that share one slot of their organization. While the runs are launched one after
 * another, the group itself holds the slot for a minute, and every launch renews it. If the process
 * dies, the slot becomes free after that minute.
 */
import type { Sql } from '../../../platform/database/database.ts';

export interface RunGroup {
  readonly id: string;
  readonly suiteId: string;
  readonly requestHash: string;
}

export async function findGroupByKey(
  sql: Sql,
  projectId: string,
  key: string,
): Promise<RunGroup | undefined> {
  const [row] = await sql<RunGroup[]>`
    select id, suite_id, request_hash from eval_run_groups
    where project_id = ${projectId} and idempotency_key = ${key}`;
  return row;
}

export async function findGroup(
  sql: Sql,
  projectId: string,
  groupId: string,
): Promise<RunGroup | undefined> {
  const [row] = await sql<RunGroup[]>`
    select id, suite_id, request_hash from eval_run_groups
    where project_id = ${projectId} and id = ${groupId}`;
  return row;
}

export async function hasRunsOfGroup(sql: Sql, groupId: string): Promise<boolean> {
  const rows = await sql`select from eval_runs where slot_group_id = ${groupId} limit 1`;
  return rows.length > 0;
}

export interface NewRunGroup extends RunGroup {
  readonly organizationId: string;
  readonly projectId: string;
  readonly idempotencyKey: string | null;
}

/** Returns false if the suite no longer exists. */
export async function insertGroup(sql: Sql, group: NewRunGroup): Promise<boolean> {
  const inserted = await sql`
    insert into eval_run_groups (id, organization_id, project_id, suite_id, idempotency_key, request_hash)
    select ${group.id}, organization_id, project_id, id, ${group.idempotencyKey}, ${group.requestHash}
    from eval_suites where id = ${group.suiteId} and project_id = ${group.projectId} for key share`;
  return inserted.count > 0;
}

export async function holdGroupSlot(sql: Sql, groupId: string): Promise<void> {
  await sql`
    update eval_run_groups set launching_until = clock_timestamp() + interval '1 minute' where id = ${groupId}`;
}

/** Ends the launching phase: from now on, the slot is in use only while the group has open runs. */
export async function leaveSlotToRuns(sql: Sql, groupId: string): Promise<void> {
  await sql`update eval_run_groups set launching_until = null where id = ${groupId}`;
}
