/**
 * The older `hosts` paths of the operations on clients. They accept only ids, edit without an
 * expected version, and use the older field names.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Clients (older paths)';
const path = '/projects/{projectId}/hosts';
const deprecated = { older: 'hosts', instead: 'clients' };
const description =
  'Deprecated: use the same path under clients. The answers have the header Deprecation: true.';

export const listHosts = defineOperation({
  operationId: 'listHosts',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the clients of a project by their older name',
  description,
  access: 'member',
  deprecated,
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.HostPage,
});

export const createHost = defineOperation({
  operationId: 'createHost',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a client by its older name',
  description,
  access: 'manage',
  deprecated,
  body: shapes.ClientCreateRequest,
  status: 201,
  output: shapes.HostDetail,
});

export const getHost = defineOperation({
  operationId: 'getHost',
  surface: 'api',
  method: 'GET',
  path: `${path}/{hostId}`,
  tag,
  summary: 'Read a client by its older name',
  description,
  access: 'member',
  deprecated,
  status: 200,
  output: shapes.HostDetail,
  refusals: ['CONFLICT'],
});

export const updateHost = defineOperation({
  operationId: 'updateHost',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{hostId}`,
  tag,
  summary: 'Edit a client by its older name',
  description,
  access: 'manage',
  deprecated,
  body: shapes.HostUpdateRequest,
  status: 200,
  output: shapes.HostDetail,
  refusals: ['CONFLICT'],
});

export const deleteHost = defineOperation({
  operationId: 'deleteHost',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{hostId}`,
  tag,
  summary: 'Delete a client by its older name',
  description,
  access: 'manage',
  deprecated,
  status: 200,
  output: shapes.HostDeleted,
  refusals: ['CONFLICT'],
});

export const setHostServers = defineOperation({
  operationId: 'setHostServers',
  surface: 'api',
  method: 'POST',
  path: `${path}/{hostId}/servers`,
  tag,
  summary: 'Replace the servers attached to a client by its older name',
  description,
  access: 'manage',
  deprecated,
  body: shapes.HostServersRequest,
  status: 200,
  output: shapes.HostDetail,
  refusals: ['CONFLICT'],
});

export const duplicateHost = defineOperation({
  operationId: 'duplicateHost',
  surface: 'api',
  method: 'POST',
  path: `${path}/{hostId}/duplicate`,
  tag,
  summary: 'Copy a client by its older name',
  description,
  access: 'manage',
  deprecated,
  body: shapes.ClientDuplicateRequest,
  status: 201,
  output: shapes.HostDetail,
  refusals: ['CONFLICT'],
});
