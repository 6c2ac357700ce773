import type { PageRequest } from '@proofmark/domain';
import type { Fragment, Sql } from '../database/database.ts';

export interface StoredChatSession {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly title: string | null;
  readonly status: 'active' | 'archived';
  readonly visibility: 'private' | 'project';
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
}

/**
 * A person's own sessions, and those shared with a project they see. Organizations they may not reach are cut off by the
 * tenant.
 */
export async function readChatSessions(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId?: string | undefined },
  { limit, after }: PageRequest,
): Promise<StoredChatSession[]> {
  const rows = await sql<StoredChatSession[]>`
    select ${columns(sql)} from chat_sessions
    where (account_id = ${accountId} or (visibility = 'project' and project_id in (${projectsSeenBy(sql, accountId)})))
      and status = ${filter.status}
      ${filter.projectId === undefined ? sql`` : sql`and project_id = ${filter.projectId}`}
      ${before(sql, after)}
    order by last_activity_at desc, id collate "C" desc limit ${limit}`;
  return [...rows];
}

/** Their ids, to stand in brackets after `in`. */
export function projectsSeenBy(sql: Sql, accountId: string): Fragment {
  return sql`
    select projects.id from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = ${accountId}
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = ${accountId}
    where memberships.role <> 'member' or projects.visibility = 'public' or project_members.tier is not null`;
}

/** Of a project the caller sees, the newest: those shared with it, and their own. */
export async function readChatSessionsOfProject(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId: string },
  { limit, after }: PageRequest,
): Promise<StoredChatSession[]> {
  const rows = await sql<StoredChatSession[]>`
    select ${columns(sql)} from chat_sessions
    where project_id = ${filter.projectId} and status = ${filter.status}
      and (account_id = ${accountId} or visibility = 'project') ${before(sql, after)}
    order by last_activity_at desc, id collate "C" desc limit ${limit}`;
  return [...rows];
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, account_id, title, status, visibility, created_at, last_activity_at`;
}

function before(sql: Sql, after: PageRequest['after']): Fragment {
  return after
    ? sql`and (last_activity_at, id collate "C") < (${new Date(after.order)}, ${after.id})`
    : sql``;
}
