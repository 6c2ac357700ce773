import type { OutputOf } from '@proofmark/contract';
import type { StoredServerAttachment } from '../../store/server-attachments.ts';

export function presentServerAttachment(
  attachment: StoredServerAttachment,
): OutputOf<'getServerAttachment'> {
  return {
    id: attachment.id,
    projectId: attachment.projectId,
    name: attachment.name,
    serverIds: [...attachment.serverIds],
    createdAt: attachment.createdAt.getTime(),
  };
}
