/** All actions, typed by operationId: a row without an action does not compile. */
import type { ActionOperationId } from '@proofmark/contract';
import type { Action } from './action.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { createProject } from './catalog/create-project.ts';
import { deleteProject } from './catalog/delete-project.ts';
import { getMe } from './catalog/get-me.ts';
import { getProjectCapabilities } from './catalog/get-project-capabilities.ts';
import { listChatSessions } from './catalog/list-chat-sessions.ts';
import { listOrganizations } from './catalog/list-organizations.ts';
import { listProjects } from './catalog/list-projects.ts';
import { updateProject } from './catalog/update-project.ts';
import { listEvalSuites } from './eval-suites/list-eval-suites.ts';
import { createProjectServer } from './servers/create-project-server.ts';
import { deleteProjectServer } from './servers/delete-project-server.ts';
import { getProjectServer } from './servers/get-project-server.ts';
import { listProjectServers } from './servers/list-project-servers.ts';
import { updateProjectServer } from './servers/update-project-server.ts';

export const actions: { readonly [Id in ActionOperationId]: Action<Id> } = {
  createApiKey,
  createProject,
  createProjectServer,
  deleteProject,
  deleteProjectServer,
  getMe,
  getProjectCapabilities,
  getProjectServer,
  listApiKeys,
  listChatSessions,
  listEvalSuites,
  listOrganizations,
  listProjects,
  listProjectServers,
  revokeApiKey,
  updateProject,
  updateProjectServer,
};
