import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import * as attachments from '../../store/server-attachments.ts';
import { presentServerAttachment } from './present-server-attachment.ts';

export const listServerAttachments: Action<'listServerAttachments'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => attachments.readServerAttachments(sql, context.project.id, page)),
    presentServerAttachment,
  );
