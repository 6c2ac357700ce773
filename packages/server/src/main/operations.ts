/** All actions, typed by operationId: a row without an action does not compile. */
import type { ActionOperationId } from '@proofmark/contract';
import { createApiKey } from '../features/accounts/operations/create-api-key.ts';
import { createInvitation } from '../features/accounts/operations/create-invitation.ts';
import { createProject } from '../features/accounts/operations/create-project.ts';
import { deleteProject } from '../features/accounts/operations/delete-project.ts';
import { endMemberSessions } from '../features/accounts/operations/end-member-sessions.ts';
import { getMe } from '../features/accounts/operations/get-me.ts';
import { getOrganizationSpending } from '../features/accounts/operations/get-organization-spending.ts';
import { getProjectCapabilities } from '../features/accounts/operations/get-project-capabilities.ts';
import { listApiKeys } from '../features/accounts/operations/list-api-keys.ts';
import { listAuditLog } from '../features/accounts/operations/list-audit-log.ts';
import { listInvitations } from '../features/accounts/operations/list-invitations.ts';
import { listMembers } from '../features/accounts/operations/list-members.ts';
import { listOrganizations } from '../features/accounts/operations/list-organizations.ts';
import { listProjects } from '../features/accounts/operations/list-projects.ts';
import { removeMember } from '../features/accounts/operations/remove-member.ts';
import { resetMemberPassword } from '../features/accounts/operations/reset-member-password.ts';
import { revokeApiKey } from '../features/accounts/operations/revoke-api-key.ts';
import { setMemberDisabled } from '../features/accounts/operations/set-member-disabled.ts';
import { setMemberTier } from '../features/accounts/operations/set-member-tier.ts';
import { updateMember } from '../features/accounts/operations/update-member.ts';
import { updateProject } from '../features/accounts/operations/update-project.ts';
import { withdrawInvitation } from '../features/accounts/operations/withdraw-invitation.ts';
import { runAgentTurn } from '../features/agent/operations/run-agent-turn.ts';
import { createClient } from '../features/environments/operations/clients/create-client.ts';
import { deleteClient } from '../features/environments/operations/clients/delete-client.ts';
import { duplicateClient } from '../features/environments/operations/clients/duplicate-client.ts';
import { getClient } from '../features/environments/operations/clients/get-client.ts';
import { createHost } from '../features/environments/operations/clients/hosts/create-host.ts';
import { deleteHost } from '../features/environments/operations/clients/hosts/delete-host.ts';
import { duplicateHost } from '../features/environments/operations/clients/hosts/duplicate-host.ts';
import { getHost } from '../features/environments/operations/clients/hosts/get-host.ts';
import { listHosts } from '../features/environments/operations/clients/hosts/list-hosts.ts';
import { setHostServers } from '../features/environments/operations/clients/hosts/set-host-servers.ts';
import { updateHost } from '../features/environments/operations/clients/hosts/update-host.ts';
import { listClients } from '../features/environments/operations/clients/list-clients.ts';
import { setClientServers } from '../features/environments/operations/clients/set-client-servers.ts';
import { updateClient } from '../features/environments/operations/clients/update-client.ts';
import { archiveEnvironment } from '../features/environments/operations/environments/archive-environment.ts';
import { createEnvironment } from '../features/environments/operations/environments/create-environment.ts';
import { ensureAdhocEnvironment } from '../features/environments/operations/environments/ensure-adhoc-environment.ts';
import { getEnvironment } from '../features/environments/operations/environments/get-environment.ts';
import { getEnvironmentCapabilities } from '../features/environments/operations/environments/get-environment-capabilities.ts';
import { listEnvironments } from '../features/environments/operations/environments/list-environments.ts';
import { nameEnvironment } from '../features/environments/operations/environments/name-environment.ts';
import { resolveEnvironment } from '../features/environments/operations/environments/resolve-environment.ts';
import { restoreEnvironment } from '../features/environments/operations/environments/restore-environment.ts';
import { updateEnvironment } from '../features/environments/operations/environments/update-environment.ts';
import { createPlugin } from '../features/environments/operations/plugins/create-plugin.ts';
import { createPluginVersion } from '../features/environments/operations/plugins/create-plugin-version.ts';
import { deletePlugin } from '../features/environments/operations/plugins/delete-plugin.ts';
import { getPlugin } from '../features/environments/operations/plugins/get-plugin.ts';
import { getPluginVersion } from '../features/environments/operations/plugins/get-plugin-version.ts';
import { listProjectPlugins } from '../features/environments/operations/plugins/list-project-plugins.ts';
import { createSkill } from '../features/environments/operations/skills/create-skill.ts';
import { createSkillVersion } from '../features/environments/operations/skills/create-skill-version.ts';
import { deleteSkill } from '../features/environments/operations/skills/delete-skill.ts';
import { getSkill } from '../features/environments/operations/skills/get-skill.ts';
import { listSkills } from '../features/environments/operations/skills/list-skills.ts';
import { createEvalIngestUploadUrl } from '../features/evals/operations/ingest/create-eval-ingest-upload-url.ts';
import { finalizeEvalIngestRun } from '../features/evals/operations/ingest/finalize-eval-ingest-run.ts';
import { ingestEvalRunIterations } from '../features/evals/operations/ingest/ingest-eval-run-iterations.ts';
import { reportEvalRun } from '../features/evals/operations/ingest/report-eval-run.ts';
import { startEvalIngestRun } from '../features/evals/operations/ingest/start-eval-ingest-run.ts';
import { createEvalRunGroup } from '../features/evals/operations/runs/create-eval-run-group.ts';
import { createGateWaiver } from '../features/evals/operations/runs/create-gate-waiver.ts';
import { evalRunActions } from '../features/evals/operations/runs/eval-run-actions.ts';
import { getEvalRunGroup } from '../features/evals/operations/runs/get-eval-run-group.ts';
import { getGateWaiver } from '../features/evals/operations/runs/get-gate-waiver.ts';
import { revokeGateWaiver } from '../features/evals/operations/runs/revoke-gate-waiver.ts';
import { attachEvalSuiteEnvironment } from '../features/evals/operations/suites/attach-eval-suite-environment.ts';
import { createEvalCase } from '../features/evals/operations/suites/create-eval-case.ts';
import { createEvalCases } from '../features/evals/operations/suites/create-eval-cases.ts';
import { createEvalSuite } from '../features/evals/operations/suites/create-eval-suite.ts';
import { deleteEvalCase } from '../features/evals/operations/suites/delete-eval-case.ts';
import { deleteEvalSuite } from '../features/evals/operations/suites/delete-eval-suite.ts';
import { exportEvalSuite } from '../features/evals/operations/suites/export-eval-suite.ts';
import { generateEvalCases } from '../features/evals/operations/suites/generate-eval-cases.ts';
import { getEvalCase } from '../features/evals/operations/suites/get-eval-case.ts';
import { getEvalSuite } from '../features/evals/operations/suites/get-eval-suite.ts';
import { getEvalSuiteHistory } from '../features/evals/operations/suites/get-eval-suite-history.ts';
import { getScorerSecret } from '../features/evals/operations/suites/get-scorer-secret.ts';
import { importEvalSuite } from '../features/evals/operations/suites/import-eval-suite.ts';
import { listEvalCases } from '../features/evals/operations/suites/list-eval-cases.ts';
import { listEvalSuites } from '../features/evals/operations/suites/list-eval-suites.ts';
import { rotateScorerSecret } from '../features/evals/operations/suites/rotate-scorer-secret.ts';
import { updateEvalCase } from '../features/evals/operations/suites/update-eval-case.ts';
import { updateEvalSuite } from '../features/evals/operations/suites/update-eval-suite.ts';
import { updateEvalSuiteSchedule } from '../features/evals/operations/suites/update-eval-suite-schedule.ts';
import { getHealth } from '../features/health/operations/get-health.ts';
import { getHome } from '../features/home/operations/get-home.ts';
import { deleteModelProvider } from '../features/models/operations/delete-model-provider.ts';
import { listModelProviders } from '../features/models/operations/list-model-providers.ts';
import { listModels } from '../features/models/operations/list-models.ts';
import { setModelProvider } from '../features/models/operations/set-model-provider.ts';
import { testModelProvider } from '../features/models/operations/test-model-provider.ts';
import { cancelEvalSuiteMutation } from '../features/mutations/operations/cancel-eval-suite-mutation.ts';
import { createEvalSuiteMutation } from '../features/mutations/operations/create-eval-suite-mutation.ts';
import { getEvalSuiteMutation } from '../features/mutations/operations/get-eval-suite-mutation.ts';
import { listEvalSuiteMutations } from '../features/mutations/operations/list-eval-suite-mutations.ts';
import { chatActions } from '../features/playground/operations/chat-actions.ts';
import { listChatSessions } from '../features/playground/operations/list-chat-sessions.ts';
import { createServerAttachment } from '../features/servers/operations/attachments/create-server-attachment.ts';
import { deleteServerAttachment } from '../features/servers/operations/attachments/delete-server-attachment.ts';
import { getServerAttachment } from '../features/servers/operations/attachments/get-server-attachment.ts';
import { listServerAttachments } from '../features/servers/operations/attachments/list-server-attachments.ts';
import { callTool } from '../features/servers/operations/call-tool.ts';
import { checkOAuth } from '../features/servers/operations/check-oauth.ts';
import { createProjectServer } from '../features/servers/operations/create-project-server.ts';
import { deleteProjectServer } from '../features/servers/operations/delete-project-server.ts';
import { exportServer } from '../features/servers/operations/export-server.ts';
import { getProjectServer } from '../features/servers/operations/get-project-server.ts';
import { getPrompt } from '../features/servers/operations/get-prompt.ts';
import { importOAuthTokens } from '../features/servers/operations/import-oauth-tokens.ts';
import { lintServer } from '../features/servers/operations/lint-server.ts';
import { listProjectServers } from '../features/servers/operations/list-project-servers.ts';
import { listPrompts } from '../features/servers/operations/list-prompts.ts';
import { listResourceTemplates } from '../features/servers/operations/list-resource-templates.ts';
import { listResources } from '../features/servers/operations/list-resources.ts';
import { listTools } from '../features/servers/operations/list-tools.ts';
import { previewWidget } from '../features/servers/operations/preview-widget.ts';
import { readResource } from '../features/servers/operations/read-resource.ts';
import { runDoctor } from '../features/servers/operations/run-doctor.ts';
import { updateProjectServer } from '../features/servers/operations/update-project-server.ts';
import { validateServer } from '../features/servers/operations/validate-server.ts';
import { exportTracesOtlp } from '../features/sessions/operations/export-traces-otlp.ts';
import { listSessions } from '../features/sessions/operations/list-sessions.ts';
import { archiveJourney } from '../features/swarms/operations/archive-journey.ts';
import { archiveSwarm } from '../features/swarms/operations/archive-swarm.ts';
import { cancelJourneyRun } from '../features/swarms/operations/cancel-journey-run.ts';
import { cancelWaveInsights } from '../features/swarms/operations/cancel-wave-insights.ts';
import { compareWaves } from '../features/swarms/operations/compare-waves.ts';
import { createEvalCaseFromSession } from '../features/swarms/operations/create-eval-case-from-session.ts';
import { createJourney } from '../features/swarms/operations/create-journey.ts';
import { createPersona } from '../features/swarms/operations/create-persona.ts';
import { createSwarm } from '../features/swarms/operations/create-swarm.ts';
import { deletePersona } from '../features/swarms/operations/delete-persona.ts';
import {
  dismissSwarmFinding,
  undismissSwarmFinding,
} from '../features/swarms/operations/dismiss-swarm-finding.ts';
import { estimateJourneyRun } from '../features/swarms/operations/estimate-journey-run.ts';
import { generateJourneys } from '../features/swarms/operations/generate-journeys.ts';
import { generatePersonas } from '../features/swarms/operations/generate-personas.ts';
import { getJourney } from '../features/swarms/operations/get-journey.ts';
import { getJourneyRun } from '../features/swarms/operations/get-journey-run.ts';
import { getJourneyRunScorecard } from '../features/swarms/operations/get-journey-run-scorecard.ts';
import { getJourneyRunSessionTrace } from '../features/swarms/operations/get-journey-run-session-trace.ts';
import { getPersona } from '../features/swarms/operations/get-persona.ts';
import { getSwarm } from '../features/swarms/operations/get-swarm.ts';
import { getSwarmOverview } from '../features/swarms/operations/get-swarm-overview.ts';
import { getWave } from '../features/swarms/operations/get-wave.ts';
import { getWaveInsights } from '../features/swarms/operations/get-wave-insights.ts';
import { launchJourneyRun } from '../features/swarms/operations/launch-journey-run.ts';
import { listJourneyRunSessions } from '../features/swarms/operations/list-journey-run-sessions.ts';
import { listJourneyRuns } from '../features/swarms/operations/list-journey-runs.ts';
import { listJourneys } from '../features/swarms/operations/list-journeys.ts';
import { listPersonas } from '../features/swarms/operations/list-personas.ts';
import { listSwarmFindings } from '../features/swarms/operations/list-swarm-findings.ts';
import { listSwarms } from '../features/swarms/operations/list-swarms.ts';
import { requestWaveInsights } from '../features/swarms/operations/request-wave-insights.ts';
import { updateJourney } from '../features/swarms/operations/update-journey.ts';
import { updatePersona } from '../features/swarms/operations/update-persona.ts';
import { updateSwarm } from '../features/swarms/operations/update-swarm.ts';
import {
  dismissUserTestingFinding,
  undismissUserTestingFinding,
} from '../features/user-testing/operations/dismiss-user-testing-finding.ts';
import { userTestingActions } from '../features/user-testing/operations/user-testing-actions.ts';
import type { Action } from '../platform/operations/action.ts';

export const actions: { readonly [Id in ActionOperationId]: Action<Id> } = {
  archiveEnvironment,
  attachEvalSuiteEnvironment,
  ensureAdhocEnvironment,
  getEnvironmentCapabilities,
  nameEnvironment,
  createInvitation,
  endMemberSessions,
  listInvitations,
  listMembers,
  removeMember,
  resetMemberPassword,
  setMemberDisabled,
  setMemberTier,
  updateMember,
  withdrawInvitation,
  listAuditLog,
  callTool,
  checkOAuth,
  createApiKey,
  createClient,
  createEnvironment,
  createEvalRunGroup,
  createEvalIngestUploadUrl,
  createGateWaiver,
  createHost,
  createPlugin,
  createPluginVersion,
  createProject,
  createProjectServer,
  createServerAttachment,
  createSkill,
  createSkillVersion,
  deleteClient,
  deleteHost,
  deletePlugin,
  deleteProject,
  deleteProjectServer,
  deleteServerAttachment,
  deleteSkill,
  duplicateClient,
  duplicateHost,
  exportServer,
  exportTracesOtlp,
  finalizeEvalIngestRun,
  getClient,
  getEnvironment,
  getEvalRunGroup,
  getGateWaiver,
  getHealth,
  getHome,
  getHost,
  getMe,
  getOrganizationSpending,
  getPlugin,
  getPluginVersion,
  getProjectCapabilities,
  getProjectServer,
  getPrompt,
  getServerAttachment,
  getSkill,
  importOAuthTokens,
  ingestEvalRunIterations,
  listApiKeys,
  listChatSessions,
  listModels,
  listModelProviders,
  setModelProvider,
  deleteModelProvider,
  testModelProvider,
  getScorerSecret,
  rotateScorerSecret,
  ...chatActions,
  ...evalRunActions,
  lintServer,
  listClients,
  listEnvironments,
  listEvalSuites,
  listHosts,
  listOrganizations,
  listProjectPlugins,
  listProjects,
  listProjectServers,
  listPrompts,
  listResources,
  listResourceTemplates,
  listServerAttachments,
  listSessions,
  listSkills,
  listTools,
  previewWidget,
  readResource,
  reportEvalRun,
  resolveEnvironment,
  restoreEnvironment,
  revokeApiKey,
  revokeGateWaiver,
  runDoctor,
  setClientServers,
  setHostServers,
  startEvalIngestRun,
  updateClient,
  updateEnvironment,
  updateHost,
  updateProject,
  updateProjectServer,
  getSwarmOverview,
  getJourneyRunScorecard,
  createEvalCaseFromSession,
  listSwarmFindings,
  dismissSwarmFinding,
  undismissSwarmFinding,
  getWave,
  compareWaves,
  getWaveInsights,
  requestWaveInsights,
  cancelWaveInsights,
  dismissUserTestingFinding,
  undismissUserTestingFinding,
  createEvalCase,
  createEvalCases,
  generateEvalCases,
  runAgentTurn,
  createEvalSuite,
  deleteEvalCase,
  deleteEvalSuite,
  exportEvalSuite,
  getEvalCase,
  getEvalSuite,
  getEvalSuiteHistory,
  cancelEvalSuiteMutation,
  createEvalSuiteMutation,
  getEvalSuiteMutation,
  listEvalSuiteMutations,
  importEvalSuite,
  listEvalCases,
  updateEvalCase,
  updateEvalSuite,
  updateEvalSuiteSchedule,
  createPersona,
  getPersona,
  listPersonas,
  updatePersona,
  createSwarm,
  getSwarm,
  listSwarms,
  updateSwarm,
  createJourney,
  getJourney,
  listJourneys,
  updateJourney,
  archiveSwarm,
  archiveJourney,
  deletePersona,
  generatePersonas,
  generateJourneys,
  cancelJourneyRun,
  estimateJourneyRun,
  getJourneyRun,
  getJourneyRunSessionTrace,
  launchJourneyRun,
  listJourneyRunSessions,
  listJourneyRuns,
  validateServer,
  ...userTestingActions,
};
