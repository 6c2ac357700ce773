import { cutPage, type Page, type PageRequest } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';

export interface StoredChatSession {
  readonly id: string;
  readonly projectId: string;
  readonly title: string | null;
  readonly status: 'active' | 'archived';
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
}

/** A person's own sessions. Organizations the caller may not reach are cut off by the tenant. */
export async function readChatSessions(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId?: string | undefined },
  page: PageRequest,
): Promise<Page<StoredChatSession>> {
  const rows = await sql<StoredChatSession[]>`
    select id, project_id, title, status, created_at, last_activity_at from chat_sessions
    where account_id = ${accountId} and status = ${filter.status}
      ${filter.projectId === undefined ? sql`` : sql`and project_id = ${filter.projectId}`}
      ${page.after ? sql`and (last_activity_at, id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by last_activity_at desc, id desc limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.lastActivityAt.getTime(), id: row.id }));
}
