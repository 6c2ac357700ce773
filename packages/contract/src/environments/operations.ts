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
  description: 'Oldest first. Archived environments are included only on request.',
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

export const getEnvironmentCapabilities = defineOperation({
  operationId: 'getEnvironmentCapabilities',
  surface: 'api',
  method: 'GET',
  path: `${path}/capabilities`,
  tag,
  summary: 'Read which features of environments this installation supports',
  description: 'The same for every project of this installation.',
  access: 'member',
  status: 200,
  output: shapes.ProjectEnvironmentCapabilities,
});

export const ensureAdhocEnvironment = defineOperation({
  operationId: 'ensureAdhocEnvironment',
  surface: 'api',
  method: 'POST',
  path: `${path}/ensure-adhoc`,
  tag,
  summary: 'Find or create an environment without a name',
  description:
    'There is one for each combination of client, servers, model, skills, plugins and image; a repeated request returns the same one. It is not listed, must be named before it can be edited, and does not protect the resources that it refers to from deletion. Needs admin.',
  access: 'admin',
  body: shapes.AdhocEnvironmentRequest,
  status: 200,
  output: shapes.AdhocEnvironmentEnsured,
});

export const nameEnvironment = defineOperation({
  operationId: 'nameEnvironment',
  surface: 'api',
  method: 'POST',
  path: `${path}/{environmentId}/name`,
  tag,
  summary: 'Name an environment that has no name',
  description:
    'Afterwards it behaves like any other environment. 409 if it already has a name, if the name is taken, or if expectedRevision is not the current revision. Needs admin.',
  access: 'admin',
  body: shapes.EnvironmentNameRequest,
  status: 200,
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
  description: 'Archived environments can be read, too.',
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
  description: '409 if expectedRevision is not the current revision. Needs admin.',
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
    'The configuration of the client, the complete list of servers and the pinned versions. 409 with details.code if the environment cannot run.',
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
  description: 'Can be undone with restoreEnvironment. The name becomes free. Needs admin.',
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
    '409 if the name has been taken in the meantime. Pins of deleted plugin versions are dropped. Needs admin.',
  access: 'admin',
  body: shapes.ProjectEnvironmentRevisionRequest,
  status: 200,
  output: shapes.ProjectEnvironment,
  refusals: ['CONFLICT'],
});
