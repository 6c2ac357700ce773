import type { Action } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseInUse } from '../../../../platform/operations/refuse-in-use.ts';
import { serverAttachmentUsers } from '../../../environments/index.ts';
import * as attachments from '../../store/server-attachments.ts';
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
