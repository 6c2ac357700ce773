import * as z from 'zod';
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Environments';
const path = '/projects/{projectId}/environments';

export const listEnvironments = defineOperation({
  operationId: 'listEnvironments',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the environments of a project',
  description: 'Oldest first. Archived ones only on request.',
  access: 'member',
  query: z.strictObject({ includeArchived: z.enum(['true', 'false']).optional() }),
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ProjectEnvironmentPage,
});

export const createEnvironment = defineOperation({
  operationId: 'createEnvironment',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create an environment',
  description: 'Names are unique among those that are not archived. Needs admin.',
  access: 'admin',
  body: shapes.ProjectEnvironmentCreateRequest,
  status: 201,
  output: shapes.ProjectEnvironment,
  refusals: ['CONFLICT'],
});

export const getEnvironment = defineOperation({
  operationId: 'getEnvironment',
  surface: 'api',
  method: 'GET',
  path: `${path}/{environmentId}`,
  tag,
  summary: 'Read an environment',
  description: 'Archived ones too.',
  access: 'member',
  status: 200,
  output: shapes.ProjectEnvironment,
});

export const updateEnvironment = defineOperation({
  operationId: 'updateEnvironment',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{environmentId}`,
  tag,
  summary: 'Edit an environment',
  description: '409 when expectedRevision is not the current one. Needs admin.',
  access: 'admin',
  body: shapes.ProjectEnvironmentUpdateRequest,
  status: 200,
  output: shapes.ProjectEnvironment,
  refusals: ['CONFLICT'],
});

export const resolveEnvironment = defineOperation({
  operationId: 'resolveEnvironment',
  surface: 'api',
  method: 'GET',
  path: `${path}/{environmentId}/resolve`,
  tag,
  summary: 'Preview what a run in an environment would use',
  description:
    'The client config, the closed set of servers and the pinned versions. 409 with details.code where it cannot run.',
  access: 'member',
  status: 200,
  output: shapes.ProjectEnvironmentResolved,
  refusals: ['CONFLICT'],
});

export const archiveEnvironment = defineOperation({
  operationId: 'archiveEnvironment',
  surface: 'api',
  method: 'POST',
  path: `${path}/{environmentId}/archive`,
  tag,
  summary: 'Archive an environment',
  description: 'Can be undone; frees the name. Needs admin.',
  access: 'admin',
  body: shapes.ProjectEnvironmentRevisionRequest,
  status: 200,
  output: shapes.ProjectEnvironment,
  refusals: ['CONFLICT'],
});

export const restoreEnvironment = defineOperation({
  operationId: 'restoreEnvironment',
  surface: 'api',
  method: 'POST',
  path: `${path}/{environmentId}/restore`,
  tag,
  summary: 'Restore an archived environment',
  description:
    '409 when the name is taken by now. Pins of plugin versions that are gone are dropped. Needs admin.',
  access: 'admin',
  body: shapes.ProjectEnvironmentRevisionRequest,
  status: 200,
  output: shapes.ProjectEnvironment,
  refusals: ['CONFLICT'],
});
