import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Server groups';
const path = '/projects/{projectId}/server-attachments';

export const listServerAttachments = defineOperation({
  operationId: 'listServerAttachments',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the server groups of a project',
  description: 'Oldest first.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ServerAttachmentPage,
});

export const createServerAttachment = defineOperation({
  operationId: 'createServerAttachment',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a server group',
  description:
    'At least one server of the same project. Names are unique in a project. Needs manage.',
  access: 'manage',
  body: shapes.ServerAttachmentCreateRequest,
  status: 201,
  output: shapes.ServerAttachment,
  refusals: ['CONFLICT'],
});

export const getServerAttachment = defineOperation({
  operationId: 'getServerAttachment',
  surface: 'api',
  method: 'GET',
  path: `${path}/{serverAttachmentId}`,
  tag,
  summary: 'Read a server group',
  description: 'Whole.',
  access: 'member',
  status: 200,
  output: shapes.ServerAttachment,
});

export const deleteServerAttachment = defineOperation({
  operationId: 'deleteServerAttachment',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{serverAttachmentId}`,
  tag,
  summary: 'Delete a server group',
  description: '409 while an environment that is not archived uses it. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.ServerAttachmentDeleted,
  refusals: ['CONFLICT'],
});
