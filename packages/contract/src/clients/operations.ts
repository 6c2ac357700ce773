import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Clients';
const path = '/projects/{projectId}/clients';

export const listClients = defineOperation({
  operationId: 'listClients',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the clients of a project',
  description: 'Oldest first, without their configurations.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ClientPage,
});

export const createClient = defineOperation({
  operationId: 'createClient',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a client',
  description: 'From a built-in template or from a full configuration. Needs manage.',
  access: 'manage',
  body: shapes.ClientCreateRequest,
  status: 201,
  output: shapes.ClientDetail,
});

export const getClient = defineOperation({
  operationId: 'getClient',
  surface: 'api',
  method: 'GET',
  path: `${path}/{client}`,
  tag,
  summary: 'Read a client',
  description: 'By id, or by name, ignoring case. 409 if several clients have the name.',
  access: 'member',
  status: 200,
  output: shapes.ClientDetail,
  refusals: ['CONFLICT'],
});

export const updateClient = defineOperation({
  operationId: 'updateClient',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{client}`,
  tag,
  summary: 'Edit a client',
  description:
    'Compare and set: if the client has changed since it was read, nothing is written, and the answer is 409 with the current values. Needs manage.',
  access: 'manage',
  body: shapes.ClientUpdateRequest,
  status: 200,
  output: shapes.ClientDetail,
  refusals: ['CONFLICT'],
});

export const deleteClient = defineOperation({
  operationId: 'deleteClient',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{client}`,
  tag,
  summary: 'Delete a client',
  description: '409 while an environment that is not archived uses it. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.ClientDeleted,
  refusals: ['CONFLICT'],
});

export const setClientServers = defineOperation({
  operationId: 'setClientServers',
  surface: 'api',
  method: 'POST',
  path: `${path}/{client}/servers`,
  tag,
  summary: 'Replace the servers attached to a client',
  description: 'Detaches every server that the list omits. Needs manage.',
  access: 'manage',
  body: shapes.ClientServersRequest,
  status: 200,
  output: shapes.ClientDetail,
  refusals: ['CONFLICT'],
});

export const duplicateClient = defineOperation({
  operationId: 'duplicateClient',
  surface: 'api',
  method: 'POST',
  path: `${path}/{client}/duplicate`,
  tag,
  summary: 'Copy a client',
  description: 'Copies the current configuration under a new id and a new name. Needs manage.',
  access: 'manage',
  body: shapes.ClientDuplicateRequest,
  status: 201,
  output: shapes.ClientDetail,
  refusals: ['CONFLICT'],
});
