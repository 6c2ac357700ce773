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
  summary: 'Read the account behind the key',
  description: 'The account that owns the key and as which it acts.',
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
  description: 'A key sees only the organization it is bound to.',
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
  summary: 'List the projects the caller can access',
  description: 'Oldest first. An organization the caller does not belong to is not found.',
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
    'Any member of the organization may; they become its project admin. organizationId may be left out when the caller belongs to one organization only.',
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
  description: 'Changes the fields that are sent. Needs project admin.',
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
  summary: 'Delete a project and all it holds',
  description:
    'Needs project admin. The Default project of an organization stays, and so does a project while a run of it is open.',
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
  description: 'Role, feature gates, limits and booleans, for planning. Every write checks again.',
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
    'Those of the caller, those shared with a project they see, and sessions of journeys of such projects. Most recent activity first. before takes the nextCursor of the page before.',
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
