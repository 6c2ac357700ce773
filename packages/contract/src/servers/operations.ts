import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Servers';

export const listProjectServers = defineOperation({
  operationId: 'listProjectServers',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/servers',
  tag,
  summary: 'List the saved MCP servers of a project',
  description: 'Oldest first, including stdio servers of the operator. Secrets are never returned.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ProjectServerPage,
});

export const createProjectServer = defineOperation({
  operationId: 'createProjectServer',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/servers',
  tag,
  summary: 'Save an MCP server',
  description: 'Streamable HTTP or SSE, by URL. Names are unique in a project. Needs manage.',
  access: 'manage',
  body: shapes.ProjectServerCreateRequest,
  status: 201,
  output: shapes.ProjectServer,
  refusals: ['CONFLICT'],
});

export const getProjectServer = defineOperation({
  operationId: 'getProjectServer',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/servers/{serverId}',
  tag,
  summary: 'Read a saved MCP server',
  description:
    'hasClientSecret and headerNames show what is stored; the values are never returned.',
  access: 'member',
  status: 200,
  output: shapes.ProjectServer,
});

export const updateProjectServer = defineOperation({
  operationId: 'updateProjectServer',
  surface: 'api',
  method: 'PATCH',
  path: '/projects/{projectId}/servers/{serverId}',
  tag,
  summary: 'Edit a saved MCP server',
  description:
    'Changes only the fields in the request. A url with another origin removes the stored credentials at the same time. Needs manage.',
  access: 'manage',
  body: shapes.ProjectServerUpdateRequest,
  status: 200,
  output: shapes.ProjectServer,
  refusals: ['CONFLICT'],
});

export const deleteProjectServer = defineOperation({
  operationId: 'deleteProjectServer',
  surface: 'api',
  method: 'DELETE',
  path: '/projects/{projectId}/servers/{serverId}',
  tag,
  summary: 'Delete a saved MCP server',
  description:
    'Also deletes its stored credentials. 409 while a suite, a client or an environment that is not archived uses it; details.suites, details.clients and details.environments name up to twenty of each. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.ProjectServerDeleted,
  refusals: ['CONFLICT'],
});
