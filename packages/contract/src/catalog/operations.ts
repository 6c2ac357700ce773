import * as z from 'zod';
import { Id } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Catalog';

export const getMe = defineOperation({
  operationId: 'getMe',
  surface: 'api',
  method: 'GET',
  path: '/me',
  tag,
  summary: 'Read the account of the API key',
  description: 'The account that owns the key and whose rights it has.',
  access: 'account',
  status: 200,
  output: shapes.Me,
});

export const listOrganizations = defineOperation({
  operationId: 'listOrganizations',
  surface: 'api',
  method: 'GET',
  path: '/organizations',
  tag,
  summary: 'List the organizations of the caller',
  description: 'An API key sees only its own organization.',
  access: 'account',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.OrganizationPage,
});

export const listProjects = defineOperation({
  operationId: 'listProjects',
  surface: 'api',
  method: 'GET',
  path: '/projects',
  tag,
  summary: 'List the projects that the caller can access',
  description: 'Oldest first. 404 for an organization that the caller does not belong to.',
  access: 'account',
  query: z.strictObject({ organizationId: Id.optional() }),
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ProjectPage,
  refusals: ['NOT_FOUND'],
});

export const createProject = defineOperation({
  operationId: 'createProject',
  surface: 'api',
  method: 'POST',
  path: '/projects',
  tag,
  summary: 'Create a project',
  description:
    'Every member of the organization may create one and becomes its project admin. organizationId may be omitted if the caller belongs to only one organization.',
  access: 'account',
  body: shapes.ProjectCreateRequest,
  status: 201,
  output: shapes.Project,
  refusals: ['NOT_FOUND', 'CONFLICT'],
});

export const updateProject = defineOperation({
  operationId: 'updateProject',
  surface: 'api',
  method: 'PATCH',
  path: '/projects/{projectId}',
  tag,
  summary: 'Edit a project',
  description: 'Changes only the fields in the request. Needs project admin.',
  access: 'admin',
  body: shapes.ProjectUpdateRequest,
  status: 200,
  output: shapes.Project,
  refusals: ['CONFLICT'],
});

export const deleteProject = defineOperation({
  operationId: 'deleteProject',
  surface: 'api',
  method: 'DELETE',
  path: '/projects/{projectId}',
  tag,
  summary: 'Delete a project and everything in it',
  description:
    'Needs project admin. The Default project of an organization and a project with an open run cannot be deleted.',
  access: 'admin',
  slow: true,
  status: 200,
  output: shapes.ProjectDeleted,
  refusals: ['CONFLICT'],
});

export const getProjectCapabilities = defineOperation({
  operationId: 'getProjectCapabilities',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/capabilities',
  tag,
  summary: 'Read what the caller could do in a project',
  description:
    'Role, feature flags, limits and permissions, for planning. Every write checks them again.',
  access: 'member',
  status: 200,
  output: shapes.ProjectCapabilities,
});

export const listChatSessions = defineOperation({
  operationId: 'listChatSessions',
  surface: 'api',
  method: 'GET',
  path: '/chat-sessions',
  tag,
  summary: 'List chat sessions',
  description:
    'The chat sessions of the caller, those shared with a project that the caller can see, and the sessions of journeys in such projects. Most recent activity first. Send the nextCursor of the previous page as before.',
  access: 'account',
  query: z.strictObject({
    projectId: Id.optional(),
    status: z.enum(['active', 'archived']).default('active'),
  }),
  page: { defaultLimit: 50, cursorParameter: 'before' },
  status: 200,
  output: shapes.ChatSessionPage,
  refusals: ['NOT_FOUND'],
});
