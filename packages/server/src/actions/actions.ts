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
import { createEvalIngestUploadUrl } from './eval-ingest/create-eval-ingest-upload-url.ts';
import { finalizeEvalIngestRun } from './eval-ingest/finalize-eval-ingest-run.ts';
import { ingestEvalRunIterations } from './eval-ingest/ingest-eval-run-iterations.ts';
import { reportEvalRun } from './eval-ingest/report-eval-run.ts';
import { startEvalIngestRun } from './eval-ingest/start-eval-ingest-run.ts';
import { getEvalIterationTrace } from './eval-runs/get-eval-iteration-trace.ts';
import { getEvalRun } from './eval-runs/get-eval-run.ts';
import { getEvalRunDecisionSummary } from './eval-runs/get-eval-run-decision-summary.ts';
import { listEvalRunIterations } from './eval-runs/list-eval-run-iterations.ts';
import { listEvalSuiteRuns } from './eval-runs/list-eval-suite-runs.ts';
import { listEvalSuites } from './eval-suites/list-eval-suites.ts';
import { createGateWaiver } from './gate-waivers/create-gate-waiver.ts';
import { getGateWaiver } from './gate-waivers/get-gate-waiver.ts';
import { revokeGateWaiver } from './gate-waivers/revoke-gate-waiver.ts';
import { callTool } from './servers/call-tool.ts';
import { checkOAuth } from './servers/check-oauth.ts';
import { createProjectServer } from './servers/create-project-server.ts';
import { deleteProjectServer } from './servers/delete-project-server.ts';
import { exportServer } from './servers/export-server.ts';
import { getProjectServer } from './servers/get-project-server.ts';
import { getPrompt } from './servers/get-prompt.ts';
import { importOAuthTokens } from './servers/import-oauth-tokens.ts';
import { listProjectServers } from './servers/list-project-servers.ts';
import { listPrompts } from './servers/list-prompts.ts';
import { listResourceTemplates } from './servers/list-resource-templates.ts';
import { listResources } from './servers/list-resources.ts';
import { listTools } from './servers/list-tools.ts';
import { readResource } from './servers/read-resource.ts';
import { runDoctor } from './servers/run-doctor.ts';
import { updateProjectServer } from './servers/update-project-server.ts';
import { validateServer } from './servers/validate-server.ts';

export const actions: { readonly [Id in ActionOperationId]: Action<Id> } = {
  callTool,
  checkOAuth,
  createApiKey,
  createEvalIngestUploadUrl,
  createGateWaiver,
  createProject,
  createProjectServer,
  deleteProject,
  deleteProjectServer,
  exportServer,
  finalizeEvalIngestRun,
  getEvalIterationTrace,
  getEvalRun,
  getEvalRunDecisionSummary,
  getGateWaiver,
  getMe,
  getProjectCapabilities,
  getProjectServer,
  getPrompt,
  importOAuthTokens,
  ingestEvalRunIterations,
  listApiKeys,
  listChatSessions,
  listEvalRunIterations,
  listEvalSuiteRuns,
  listEvalSuites,
  listOrganizations,
  listProjects,
  listProjectServers,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  readResource,
  reportEvalRun,
  revokeApiKey,
  revokeGateWaiver,
  runDoctor,
  startEvalIngestRun,
  updateProject,
  updateProjectServer,
  validateServer,
};
