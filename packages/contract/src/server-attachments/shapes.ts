import * as z from 'zod';
import { deletedShape, Id, Instant, Name, pageOf } from '../fields.ts';

export const ServerAttachment = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    serverIds: z.array(Id),
    createdAt: Instant,
  })
  .meta({
    id: 'ServerAttachment',
    description: 'A named, fixed group of servers.',
  });

export const ServerAttachmentPage = pageOf(ServerAttachment, 'ServerAttachmentPage');
export const ServerAttachmentDeleted = deletedShape('ServerAttachmentDeleted');

export const ServerAttachmentCreateRequest = z
  .strictObject({ name: Name, serverIds: z.array(Id).min(1).max(200) })
  .meta({ id: 'ServerAttachmentCreateRequest' });
