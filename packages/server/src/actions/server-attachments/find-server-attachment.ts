import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import * as attachments from '../../storage/servers/server-attachments.ts';
import { refuse } from '../action.ts';

export async function findServerAttachment(
  sql: Sql,
  projectId: string,
  serverAttachmentId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<attachments.StoredServerAttachment> {
  const found = await attachments.readServerAttachment(sql, projectId, serverAttachmentId, lock);
  return found ?? refuse(notFound);
}
