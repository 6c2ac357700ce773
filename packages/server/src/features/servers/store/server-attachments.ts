/**
 * Named groups of servers. A group never gets other servers after its creation, but each of its
 * servers can still be deleted.
 */
import { cutPage, type Page, type PageRequest } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { nameColumns } from '../../../platform/database/name-columns.ts';

export interface StoredServerAttachment {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly serverIds: readonly string[];
  readonly createdAt: Date;
}

/**
 * Finds a server group by its id. `forKeyShare` prevents its deletion while another row that
 * references it is written.
 */
export async function readServerAttachment(
  sql: Sql,
  projectId: string,
  serverAttachmentId: string,
  lock: 'forUpdate' | 'forKeyShare' | 'read' = 'read',
): Promise<StoredServerAttachment | undefined> {
  const locked = { forUpdate: sql`for update`, forKeyShare: sql`for key share`, read: sql`` }[lock];
  const [row] = await sql<StoredServerAttachment[]>`
    ${selected(sql)} where project_id = ${projectId} and id = ${serverAttachmentId} ${locked}`;
  return row;
}

export async function readServerAttachments(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredServerAttachment>> {
  const rows = await sql<StoredServerAttachment[]>`
    ${selected(sql)} where project_id = ${projectId}
      ${page.after ? sql`and (created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at, id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

export async function insertServerAttachment(
  sql: Sql,
  organizationId: string,
  attachment: Omit<StoredServerAttachment, 'createdAt'>,
): Promise<'nameTaken' | 'inserted'> {
  const inserted = await sql`
    insert into server_attachments ${sql({
      id: attachment.id,
      organization_id: organizationId,
      project_id: attachment.projectId,
      ...nameColumns(attachment.name),
      server_ids: attachment.serverIds as string[],
    })} on conflict do nothing`;
  return inserted.count === 0 ? 'nameTaken' : 'inserted';
}

export async function removeServerAttachment(sql: Sql, serverAttachmentId: string): Promise<void> {
  await sql`delete from server_attachments where id = ${serverAttachmentId}`;
}

function selected(sql: Sql) {
  return sql`select id, project_id, name, server_ids, created_at from server_attachments`;
}
