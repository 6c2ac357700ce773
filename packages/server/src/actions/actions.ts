/** All actions, typed by operationId: a row without an action does not compile. */
import type { ActionOperationId } from '@proofmark/contract';
import type { Action } from './action.ts';
import { runAgentTurn } from './agent/run-agent-turn.ts';
import { createApiKey } from './api-keys/create-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { listAuditLog } from './audit-log/list-audit-log.ts';
import { createProject } from './catalog/create-project.ts';
import { deleteProject } from './catalog/delete-project.ts';
import { getMe } from './catalog/get-me.ts';
import { getProjectCapabilities } from './catalog/get-project-capabilities.ts';
import { listChatSessions } from './catalog/list-chat-sessions.ts';
import { listOrganizations } from './catalog/list-organizations.ts';
import { listProjects } from './catalog/list-projects.ts';
import { updateProject } from './catalog/update-project.ts';
import { chatActions } from './chat-sessions/chat-actions.ts';
import { createClient } from './clients/create-client.ts';
import { deleteClient } from './clients/delete-client.ts';
import { duplicateClient } from './clients/duplicate-client.ts';
import { getClient } from './clients/get-client.ts';
import { createHost } from './clients/hosts/create-host.ts';
import { deleteHost } from './clients/hosts/delete-host.ts';
import { duplicateHost } from './clients/hosts/duplicate-host.ts';
import { getHost } from './clients/hosts/get-host.ts';
import { listHosts } from './clients/hosts/list-hosts.ts';
import { setHostServers } from './clients/hosts/set-host-servers.ts';
import { updateHost } from './clients/hosts/update-host.ts';
import { listClients } from './clients/list-clients.ts';
import { setClientServers } from './clients/set-client-servers.ts';
import { updateClient } from './clients/update-client.ts';
import { archiveEnvironment } from './environments/archive-environment.ts';
import { createEnvironment } from './environments/create-environment.ts';
import { ensureAdhocEnvironment } from './environments/ensure-adhoc-environment.ts';
import { getEnvironment } from './environments/get-environment.ts';
import { getEnvironmentCapabilities } from './environments/get-environment-capabilities.ts';
import { listEnvironments } from './environments/list-environments.ts';
import { nameEnvironment } from './environments/name-environment.ts';
import { resolveEnvironment } from './environments/resolve-environment.ts';
import { restoreEnvironment } from './environments/restore-environment.ts';
import { updateEnvironment } from './environments/update-environment.ts';
import { createEvalIngestUploadUrl } from './eval-ingest/create-eval-ingest-upload-url.ts';
import { finalizeEvalIngestRun } from './eval-ingest/finalize-eval-ingest-run.ts';
import { ingestEvalRunIterations } from './eval-ingest/ingest-eval-run-iterations.ts';
import { reportEvalRun } from './eval-ingest/report-eval-run.ts';
import { startEvalIngestRun } from './eval-ingest/start-eval-ingest-run.ts';
import { createEvalRunGroup } from './eval-run-groups/create-eval-run-group.ts';
import { getEvalRunGroup } from './eval-run-groups/get-eval-run-group.ts';
import { evalRunActions } from './eval-runs/eval-run-actions.ts';
import { attachEvalSuiteEnvironment } from './eval-suites/attach-eval-suite-environment.ts';
import { cancelEvalSuiteMutation } from './eval-suites/cancel-eval-suite-mutation.ts';
import { createEvalCase } from './eval-suites/create-eval-case.ts';
import { createEvalCases } from './eval-suites/create-eval-cases.ts';
import { createEvalSuite } from './eval-suites/create-eval-suite.ts';
import { createEvalSuiteMutation } from './eval-suites/create-eval-suite-mutation.ts';
import { deleteEvalCase } from './eval-suites/delete-eval-case.ts';
import { deleteEvalSuite } from './eval-suites/delete-eval-suite.ts';
import { exportEvalSuite } from './eval-suites/export-eval-suite.ts';
import { generateEvalCases } from './eval-suites/generate-eval-cases.ts';
import { getEvalCase } from './eval-suites/get-eval-case.ts';
import { getEvalSuite } from './eval-suites/get-eval-suite.ts';
import { getEvalSuiteHistory } from './eval-suites/get-eval-suite-history.ts';
import { getEvalSuiteMutation } from './eval-suites/get-eval-suite-mutation.ts';
import { importEvalSuite } from './eval-suites/import-eval-suite.ts';
import { listEvalCases } from './eval-suites/list-eval-cases.ts';
import { listEvalSuiteMutations } from './eval-suites/list-eval-suite-mutations.ts';
import { listEvalSuites } from './eval-suites/list-eval-suites.ts';
import { updateEvalCase } from './eval-suites/update-eval-case.ts';
import { updateEvalSuite } from './eval-suites/update-eval-suite.ts';
import { updateEvalSuiteSchedule } from './eval-suites/update-eval-suite-schedule.ts';
import { createGateWaiver } from './gate-waivers/create-gate-waiver.ts';
import { getGateWaiver } from './gate-waivers/get-gate-waiver.ts';
import { revokeGateWaiver } from './gate-waivers/revoke-gate-waiver.ts';
import { getHealth } from './health/get-health.ts';
import { getHome } from './home/get-home.ts';
import { createInvitation } from './members/create-invitation.ts';
import { endMemberSessions } from './members/end-member-sessions.ts';
import { listInvitations } from './members/list-invitations.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { resetMemberPassword } from './members/reset-member-password.ts';
import { setMemberDisabled } from './members/set-member-disabled.ts';
import { setMemberTier } from './members/set-member-tier.ts';
import { updateMember } from './members/update-member.ts';
import { withdrawInvitation } from './members/withdraw-invitation.ts';
import { deleteModelProvider } from './models/delete-model-provider.ts';
import { listModelProviders } from './models/list-model-providers.ts';
import { listModels } from './models/list-models.ts';
import { setModelProvider } from './models/set-model-provider.ts';
import { testModelProvider } from './models/test-model-provider.ts';
import { createPlugin } from './plugins/create-plugin.ts';
import { createPluginVersion } from './plugins/create-plugin-version.ts';
import { deletePlugin } from './plugins/delete-plugin.ts';
import { getPlugin } from './plugins/get-plugin.ts';
import { getPluginVersion } from './plugins/get-plugin-version.ts';
import { listProjectPlugins } from './plugins/list-project-plugins.ts';
import { getScorerSecret } from './scorer-secrets/get-scorer-secret.ts';
import { rotateScorerSecret } from './scorer-secrets/rotate-scorer-secret.ts';
import { createServerAttachment } from './server-attachments/create-server-attachment.ts';
import { deleteServerAttachment } from './server-attachments/delete-server-attachment.ts';
import { getServerAttachment } from './server-attachments/get-server-attachment.ts';
import { listServerAttachments } from './server-attachments/list-server-attachments.ts';
import { callTool } from './servers/call-tool.ts';
import { checkOAuth } from './servers/check-oauth.ts';
import { createProjectServer } from './servers/create-project-server.ts';
import { deleteProjectServer } from './servers/delete-project-server.ts';
import { exportServer } from './servers/export-server.ts';
import { getProjectServer } from './servers/get-project-server.ts';
import { getPrompt } from './servers/get-prompt.ts';
import { importOAuthTokens } from './servers/import-oauth-tokens.ts';
import { lintServer } from './servers/lint-server.ts';
import { listProjectServers } from './servers/list-project-servers.ts';
import { listPrompts } from './servers/list-prompts.ts';
import { listResourceTemplates } from './servers/list-resource-templates.ts';
import { listResources } from './servers/list-resources.ts';
import { listTools } from './servers/list-tools.ts';
import { previewWidget } from './servers/preview-widget.ts';
import { readResource } from './servers/read-resource.ts';
import { runDoctor } from './servers/run-doctor.ts';
import { updateProjectServer } from './servers/update-project-server.ts';
import { validateServer } from './servers/validate-server.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { createSkill } from './skills/create-skill.ts';
import { createSkillVersion } from './skills/create-skill-version.ts';
import { deleteSkill } from './skills/delete-skill.ts';
import { getSkill } from './skills/get-skill.ts';
import { listSkills } from './skills/list-skills.ts';
import { getOrganizationSpending } from './spending/get-organization-spending.ts';
import { archiveJourney } from './swarms/archive-journey.ts';
import { archiveSwarm } from './swarms/archive-swarm.ts';
import { cancelJourneyRun } from './swarms/cancel-journey-run.ts';
import { cancelWaveInsights } from './swarms/cancel-wave-insights.ts';
import { compareWaves } from './swarms/compare-waves.ts';
import { createEvalCaseFromSession } from './swarms/create-eval-case-from-session.ts';
import { createJourney } from './swarms/create-journey.ts';
import { createPersona } from './swarms/create-persona.ts';
import { createSwarm } from './swarms/create-swarm.ts';
import { deletePersona } from './swarms/delete-persona.ts';
import { dismissSwarmFinding, undismissSwarmFinding } from './swarms/dismiss-swarm-finding.ts';
import { estimateJourneyRun } from './swarms/estimate-journey-run.ts';
import { generateJourneys } from './swarms/generate-journeys.ts';
import { generatePersonas } from './swarms/generate-personas.ts';
import { getJourney } from './swarms/get-journey.ts';
import { getJourneyRun } from './swarms/get-journey-run.ts';
import { getJourneyRunScorecard } from './swarms/get-journey-run-scorecard.ts';
import { getJourneyRunSessionTrace } from './swarms/get-journey-run-session-trace.ts';
import { getPersona } from './swarms/get-persona.ts';
import { getSwarm } from './swarms/get-swarm.ts';
import { getSwarmOverview } from './swarms/get-swarm-overview.ts';
import { getWave } from './swarms/get-wave.ts';
import { getWaveInsights } from './swarms/get-wave-insights.ts';
import { launchJourneyRun } from './swarms/launch-journey-run.ts';
import { listJourneyRunSessions } from './swarms/list-journey-run-sessions.ts';
import { listJourneyRuns } from './swarms/list-journey-runs.ts';
import { listJourneys } from './swarms/list-journeys.ts';
import { listPersonas } from './swarms/list-personas.ts';
import { listSwarmFindings } from './swarms/list-swarm-findings.ts';
import { listSwarms } from './swarms/list-swarms.ts';
import { requestWaveInsights } from './swarms/request-wave-insights.ts';
import { updateJourney } from './swarms/update-journey.ts';
import { updatePersona } from './swarms/update-persona.ts';
import { updateSwarm } from './swarms/update-swarm.ts';
import { exportTracesOtlp } from './trace-exports/export-traces-otlp.ts';
import {
  dismissUserTestingFinding,
  undismissUserTestingFinding,
} from './user-testing/dismiss-user-testing-finding.ts';
import { userTestingActions } from './user-testing/user-testing-actions.ts';

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
