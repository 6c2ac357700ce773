import * as attachments from '../../storage/servers/server-attachments.ts';
import { type Action, presentPage } from '../action.ts';
import { presentServerAttachment } from './present-server-attachment.ts';

export const listServerAttachments: Action<'listServerAttachments'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => attachments.readServerAttachments(sql, context.project.id, page)),
    presentServerAttachment,
  );
