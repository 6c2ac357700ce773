import type { Operations } from '../../platform/operations/action.ts';
import { createServerAttachment } from './operations/attachments/create-server-attachment.ts';
import { deleteServerAttachment } from './operations/attachments/delete-server-attachment.ts';
import { getServerAttachment } from './operations/attachments/get-server-attachment.ts';
import { listServerAttachments } from './operations/attachments/list-server-attachments.ts';
import { callTool } from './operations/call-tool.ts';
import { checkOAuth } from './operations/check-oauth.ts';
import { createProjectServer } from './operations/create-project-server.ts';
import { deleteProjectServer } from './operations/delete-project-server.ts';
import { exportServer } from './operations/export-server.ts';
import { getProjectServer } from './operations/get-project-server.ts';
import { getPrompt } from './operations/get-prompt.ts';
import { importOAuthTokens } from './operations/import-oauth-tokens.ts';
import { lintServer } from './operations/lint-server.ts';
import { listProjectServers } from './operations/list-project-servers.ts';
import { listPrompts } from './operations/list-prompts.ts';
import { listResourceTemplates } from './operations/list-resource-templates.ts';
import { listResources } from './operations/list-resources.ts';
import { listTools } from './operations/list-tools.ts';
import { previewWidget } from './operations/preview-widget.ts';
import { readResource } from './operations/read-resource.ts';
import { runDoctor } from './operations/run-doctor.ts';
import { updateProjectServer } from './operations/update-project-server.ts';
import { validateServer } from './operations/validate-server.ts';
import type { ServersParts } from './servers-context.ts';

export const serversOperations = {
  callTool,
  checkOAuth,
  createProjectServer,
  createServerAttachment,
  deleteProjectServer,
  deleteServerAttachment,
  exportServer,
  getProjectServer,
  getPrompt,
  getServerAttachment,
  importOAuthTokens,
  lintServer,
  listProjectServers,
  listPrompts,
  listResourceTemplates,
  listResources,
  listServerAttachments,
  listTools,
  previewWidget,
  readResource,
  runDoctor,
  updateProjectServer,
  validateServer,
} satisfies Operations<ServersParts>;
