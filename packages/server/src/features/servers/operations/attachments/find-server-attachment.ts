import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as attachments from '../../store/server-attachments.ts';

export async function findServerAttachment(
  sql: Sql,
  projectId: string,
  serverAttachmentId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<attachments.StoredServerAttachment> {
  const found = await attachments.readServerAttachment(sql, projectId, serverAttachmentId, lock);
  return found ?? refuse(notFound);
}
