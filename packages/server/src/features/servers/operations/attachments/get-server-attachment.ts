import type { Action } from '../../../../platform/operations/action.ts';
import { findServerAttachment } from './find-server-attachment.ts';
import { presentServerAttachment } from './present-server-attachment.ts';

export const getServerAttachment: Action<'getServerAttachment'> = async (context, { params }) =>
  presentServerAttachment(
    await context.tenant((sql) =>
      findServerAttachment(sql, context.project.id, params.serverAttachmentId),
    ),
  );
