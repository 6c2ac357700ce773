import { serverAttachmentUsers } from '../../storage/environments/environment-use.ts';
import * as attachments from '../../storage/servers/server-attachments.ts';
import type { Action } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { refuseInUse } from '../refuse-in-use.ts';
import { findServerAttachment } from './find-server-attachment.ts';

export const deleteServerAttachment: Action<'deleteServerAttachment'> = async (
  context,
  { params },
) => {
  const id = params.serverAttachmentId;
  await context.tenant(async (sql) => {
    await findServerAttachment(sql, context.project.id, id, 'forUpdate');
    refuseInUse('server group', await serverAttachmentUsers(sql, id));
    await attachments.removeServerAttachment(sql, id);
    await recordAudit(sql, context, { action: 'serverAttachment.deleted', subjectId: id });
  });
  return { id, deleted: true };
};
