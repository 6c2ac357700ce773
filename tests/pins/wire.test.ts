/** The wire as literals. A red test here means: clients will see this change. Is it meant? */
import { readFileSync } from 'node:fs';
import {
  allOperations,
  effectOf,
  errorStatus,
  publishedSchema,
  publishedSchemaNames,
  version,
} from '@proofmark/contract';
import { openApiDocument } from '@proofmark/contract/openapi';
import {
  doctorCheckStates,
  doctorChecks,
  doctorConnectionStates,
  doctorStatuses,
  idPrefixes,
  keyScopes,
  organizationRoles,
  projectTiers,
  transportTypes,
} from '@proofmark/domain';
import { expect, test } from 'vitest';

test('the error codes and their status', () => {
  expect(errorStatus).toEqual({
    UNAUTHORIZED: 401,
    OAUTH_REQUIRED: 401,
    FORBIDDEN: 403,
    VALIDATION_ERROR: 400,
    NOT_FOUND: 404,
    CONFLICT: 409,
    FEATURE_NOT_SUPPORTED: 422,
    RATE_LIMITED: 429,
    SERVER_UNREACHABLE: 502,
    TIMEOUT: 504,
    INTERNAL_ERROR: 500,
  });
});

test('all packages and the API say one version', () => {
  for (const name of [
    '.',
    ...['cli', 'client', 'console', 'contract', 'domain', 'server'].map((one) => `packages/${one}`),
  ]) {
    const file = new URL(`../../${name}/package.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(version);
  }
});

test('the closed vocabularies', () => {
  expect(organizationRoles).toEqual(['owner', 'admin', 'member']);
  expect(projectTiers).toEqual(['member', 'manage', 'admin']);
  expect(keyScopes).toEqual(['full', 'run-only', 'read-only']);
  expect(transportTypes).toEqual(['http', 'stdio']);
  expect(doctorStatuses).toEqual(['ready', 'oauth_required', 'partial', 'error']);
  expect(doctorConnectionStates).toEqual(['connected', 'error', 'skipped']);
  expect(doctorCheckStates).toEqual(['ok', 'error', 'skipped']);
  expect(doctorChecks).toEqual([
    ...['probe', 'connection', 'initialization', 'capabilities'],
    ...['tools', 'resources', 'resourceTemplates', 'prompts'],
  ]);
  expect(idPrefixes).toEqual({
    account: 'acc',
    apiKey: 'key',
    artifact: 'art',
    chatSession: 'cht',
    client: 'cli',
    criterion: 'crt',
    environment: 'env',
    evalCase: 'cas',
    evalIteration: 'itr',
    evalRun: 'run',
    evalSuite: 'ste',
    gateWaiver: 'wvr',
    invitation: 'inv',
    journey: 'jny',
    modelProvider: 'mdp',
    organization: 'org',
    persona: 'per',
    plugin: 'plg',
    pluginVersion: 'plv',
    project: 'prj',
    server: 'srv',
    serverAttachment: 'grp',
    skill: 'skl',
    skillVersion: 'skv',
    swarm: 'swm',
    journeyRun: 'jrn',
    wave: 'wav',
  });
});

test('every operation, where it is and who may', () => {
  const rows = allOperations.map(
    (row) => `${row.surface} ${row.method} ${row.path} ${row.access} ${row.operationId}`,
  );
  expect(rows.sort()).toEqual([
    'api DELETE /projects/{projectId} admin deleteProject',
    'api DELETE /projects/{projectId}/clients/{client} manage deleteClient',
    'api DELETE /projects/{projectId}/eval-runs/{runId} member deleteEvalRun',
    'api DELETE /projects/{projectId}/eval-runs/{runId}/gate-waivers/{waiverId} manage revokeGateWaiver',
    'api DELETE /projects/{projectId}/eval-suites/{suiteId} member deleteEvalSuite',
    'api DELETE /projects/{projectId}/eval-suites/{suiteId}/cases/{caseId} member deleteEvalCase',
    'api DELETE /projects/{projectId}/hosts/{hostId} manage deleteHost',
    'api DELETE /projects/{projectId}/journeys/{journeyId} member archiveJourney',
    'api DELETE /projects/{projectId}/personas/{personaId} member deletePersona',
    'api DELETE /projects/{projectId}/plugins/{pluginId} manage deletePlugin',
    'api DELETE /projects/{projectId}/server-attachments/{serverAttachmentId} manage deleteServerAttachment',
    'api DELETE /projects/{projectId}/servers/{serverId} manage deleteProjectServer',
    'api DELETE /projects/{projectId}/skills/{skillId} manage deleteSkill',
    'api DELETE /projects/{projectId}/swarms/{swarmId} member archiveSwarm',
    'api DELETE /projects/{projectId}/waves/{waveId}/insights member cancelWaveInsights',
    'api GET /chat-sessions account listChatSessions',
    'api GET /me account getMe',
    'api GET /models account listModels',
    'api GET /organizations account listOrganizations',
    'api GET /plugin-versions/{pluginVersionId} account getPluginVersion',
    'api GET /projects account listProjects',
    'api GET /projects/{projectId}/capabilities member getProjectCapabilities',
    'api GET /projects/{projectId}/clients member listClients',
    'api GET /projects/{projectId}/clients/{client} member getClient',
    'api GET /projects/{projectId}/environments member listEnvironments',
    'api GET /projects/{projectId}/environments/{environmentId} member getEnvironment',
    'api GET /projects/{projectId}/environments/{environmentId}/resolve member resolveEnvironment',
    'api GET /projects/{projectId}/eval-run-groups/{runGroupId} member getEvalRunGroup',
    'api GET /projects/{projectId}/eval-runs/{runId} member getEvalRun',
    'api GET /projects/{projectId}/eval-runs/{runId}/compare member compareEvalRun',
    'api GET /projects/{projectId}/eval-runs/{runId}/decision-summary member getEvalRunDecisionSummary',
    'api GET /projects/{projectId}/eval-runs/{runId}/gate-waivers member getGateWaiver',
    'api GET /projects/{projectId}/eval-runs/{runId}/iterations member listEvalRunIterations',
    'api GET /projects/{projectId}/eval-runs/{runId}/iterations/{iterationId} member getEvalIteration',
    'api GET /projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/steps member getEvalRunSteps',
    'api GET /projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/tools member getEvalIterationTools',
    'api GET /projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/trace member getEvalIterationTrace',
    'api GET /projects/{projectId}/eval-suites member listEvalSuites',
    'api GET /projects/{projectId}/eval-suites/{suiteId} member getEvalSuite',
    'api GET /projects/{projectId}/eval-suites/{suiteId}/cases member listEvalCases',
    'api GET /projects/{projectId}/eval-suites/{suiteId}/cases/{caseId} member getEvalCase',
    'api GET /projects/{projectId}/eval-suites/{suiteId}/export member exportEvalSuite',
    'api GET /projects/{projectId}/eval-suites/{suiteId}/run-estimate member estimateEvalRun',
    'api GET /projects/{projectId}/eval-suites/{suiteId}/runs member listEvalSuiteRuns',
    'api GET /projects/{projectId}/hosts member listHosts',
    'api GET /projects/{projectId}/hosts/{hostId} member getHost',
    'api GET /projects/{projectId}/journey-findings member listSwarmFindings',
    'api GET /projects/{projectId}/journey-runs/{runId} member getJourneyRun',
    'api GET /projects/{projectId}/journey-runs/{runId}/scorecard member getJourneyRunScorecard',
    'api GET /projects/{projectId}/journey-runs/{runId}/sessions member listJourneyRunSessions',
    'api GET /projects/{projectId}/journey-runs/{runId}/sessions/{sessionId}/trace member getJourneyRunSessionTrace',
    'api GET /projects/{projectId}/journeys member listJourneys',
    'api GET /projects/{projectId}/journeys-overview member getSwarmOverview',
    'api GET /projects/{projectId}/journeys/{journeyId} member getJourney',
    'api GET /projects/{projectId}/journeys/{journeyId}/runs member listJourneyRuns',
    'api GET /projects/{projectId}/personas member listPersonas',
    'api GET /projects/{projectId}/personas/{personaId} member getPersona',
    'api GET /projects/{projectId}/plugins member listProjectPlugins',
    'api GET /projects/{projectId}/plugins/{pluginId} member getPlugin',
    'api GET /projects/{projectId}/server-attachments member listServerAttachments',
    'api GET /projects/{projectId}/server-attachments/{serverAttachmentId} member getServerAttachment',
    'api GET /projects/{projectId}/servers member listProjectServers',
    'api GET /projects/{projectId}/servers/{serverId} member getProjectServer',
    'api GET /projects/{projectId}/sessions member listSessions',
    'api GET /projects/{projectId}/skills member listSkills',
    'api GET /projects/{projectId}/skills/{skillId} member getSkill',
    'api GET /projects/{projectId}/swarms member listSwarms',
    'api GET /projects/{projectId}/swarms/{swarmId} member getSwarm',
    'api GET /projects/{projectId}/waves/{waveId} member getWave',
    'api GET /projects/{projectId}/waves/{waveId}/compare member compareWaves',
    'api GET /projects/{projectId}/waves/{waveId}/insights member getWaveInsights',
    'api GET /trace-exports/otlp account exportTracesOtlp',
    'api PATCH /projects/{projectId} admin updateProject',
    'api PATCH /projects/{projectId}/clients/{client} manage updateClient',
    'api PATCH /projects/{projectId}/environments/{environmentId} admin updateEnvironment',
    'api PATCH /projects/{projectId}/eval-suites/{suiteId} member updateEvalSuite',
    'api PATCH /projects/{projectId}/eval-suites/{suiteId}/cases/{caseId} member updateEvalCase',
    'api PATCH /projects/{projectId}/eval-suites/{suiteId}/schedule member updateEvalSuiteSchedule',
    'api PATCH /projects/{projectId}/hosts/{hostId} manage updateHost',
    'api PATCH /projects/{projectId}/journeys/{journeyId} member updateJourney',
    'api PATCH /projects/{projectId}/personas/{personaId} member updatePersona',
    'api PATCH /projects/{projectId}/servers/{serverId} manage updateProjectServer',
    'api PATCH /projects/{projectId}/swarms/{swarmId} member updateSwarm',
    'api POST /projects account createProject',
    'api POST /projects/{projectId}/agent member runAgentTurn',
    'api POST /projects/{projectId}/clients manage createClient',
    'api POST /projects/{projectId}/clients/{client}/duplicate manage duplicateClient',
    'api POST /projects/{projectId}/clients/{client}/servers manage setClientServers',
    'api POST /projects/{projectId}/environments admin createEnvironment',
    'api POST /projects/{projectId}/environments/{environmentId}/archive admin archiveEnvironment',
    'api POST /projects/{projectId}/environments/{environmentId}/restore admin restoreEnvironment',
    'api POST /projects/{projectId}/eval-ingest/artifacts/upload-url member createEvalIngestUploadUrl',
    'api POST /projects/{projectId}/eval-ingest/report member reportEvalRun',
    'api POST /projects/{projectId}/eval-ingest/runs/finalize member finalizeEvalIngestRun',
    'api POST /projects/{projectId}/eval-ingest/runs/iterations member ingestEvalRunIterations',
    'api POST /projects/{projectId}/eval-ingest/runs/start member startEvalIngestRun',
    'api POST /projects/{projectId}/eval-run-groups member createEvalRunGroup',
    'api POST /projects/{projectId}/eval-runs member createEvalRun',
    'api POST /projects/{projectId}/eval-runs/{runId}/cancel member cancelEvalRun',
    'api POST /projects/{projectId}/eval-runs/{runId}/gate-waivers manage createGateWaiver',
    'api POST /projects/{projectId}/eval-runs/{runId}/insights member requestEvalRunInsights',
    'api POST /projects/{projectId}/eval-runs/{runId}/judge member requestEvalRunJudge',
    'api POST /projects/{projectId}/eval-suites member createEvalSuite',
    'api POST /projects/{projectId}/eval-suites/import member importEvalSuite',
    'api POST /projects/{projectId}/eval-suites/{suiteId}/cases member createEvalCase',
    'api POST /projects/{projectId}/eval-suites/{suiteId}/cases/batch member createEvalCases',
    'api POST /projects/{projectId}/eval-suites/{suiteId}/cases/generate member generateEvalCases',
    'api POST /projects/{projectId}/hosts manage createHost',
    'api POST /projects/{projectId}/hosts/{hostId}/duplicate manage duplicateHost',
    'api POST /projects/{projectId}/hosts/{hostId}/servers manage setHostServers',
    'api POST /projects/{projectId}/journey-findings/{findingId}/dismiss member dismissSwarmFinding',
    'api POST /projects/{projectId}/journey-findings/{findingId}/undismiss member undismissSwarmFinding',
    'api POST /projects/{projectId}/journey-runs/{runId}/cancel member cancelJourneyRun',
    'api POST /projects/{projectId}/journey-runs/{runId}/sessions/{sessionId}/eval-case member createEvalCaseFromSession',
    'api POST /projects/{projectId}/journeys member createJourney',
    'api POST /projects/{projectId}/journeys/generate member generateJourneys',
    'api POST /projects/{projectId}/journeys/{journeyId}/runs member launchJourneyRun',
    'api POST /projects/{projectId}/journeys/{journeyId}/runs/estimate member estimateJourneyRun',
    'api POST /projects/{projectId}/personas member createPersona',
    'api POST /projects/{projectId}/personas/generate member generatePersonas',
    'api POST /projects/{projectId}/plugins manage createPlugin',
    'api POST /projects/{projectId}/plugins/{pluginId}/versions manage createPluginVersion',
    'api POST /projects/{projectId}/server-attachments manage createServerAttachment',
    'api POST /projects/{projectId}/servers manage createProjectServer',
    'api POST /projects/{projectId}/servers/{serverId}/check-oauth member checkOAuth',
    'api POST /projects/{projectId}/servers/{serverId}/doctor member runDoctor',
    'api POST /projects/{projectId}/servers/{serverId}/export member exportServer',
    'api POST /projects/{projectId}/servers/{serverId}/oauth/import-tokens manage importOAuthTokens',
    'api POST /projects/{projectId}/servers/{serverId}/prompts member listPrompts',
    'api POST /projects/{projectId}/servers/{serverId}/prompts/get member getPrompt',
    'api POST /projects/{projectId}/servers/{serverId}/resources member listResources',
    'api POST /projects/{projectId}/servers/{serverId}/resources/read member readResource',
    'api POST /projects/{projectId}/servers/{serverId}/resources/templates member listResourceTemplates',
    'api POST /projects/{projectId}/servers/{serverId}/tools member listTools',
    'api POST /projects/{projectId}/servers/{serverId}/tools/call member callTool',
    'api POST /projects/{projectId}/servers/{serverId}/validate member validateServer',
    'api POST /projects/{projectId}/skills manage createSkill',
    'api POST /projects/{projectId}/skills/{skillId}/versions manage createSkillVersion',
    'api POST /projects/{projectId}/swarms member createSwarm',
    'api POST /projects/{projectId}/waves/{waveId}/insights member requestWaveInsights',
    'console DELETE /api-keys/{keyId} account revokeApiKey',
    'console DELETE /organizations/{organizationId}/invitations/{invitationId} account withdrawInvitation',
    'console DELETE /organizations/{organizationId}/members/{accountId} account removeMember',
    'console DELETE /organizations/{organizationId}/members/{accountId}/sessions account endMemberSessions',
    'console DELETE /organizations/{organizationId}/model-providers/{providerName} account deleteModelProvider',
    'console DELETE /session account signOut',
    'console GET /api-keys account listApiKeys',
    'console GET /health account getHealth',
    'console GET /organizations/{organizationId}/audit-log account listAuditLog',
    'console GET /organizations/{organizationId}/invitations account listInvitations',
    'console GET /organizations/{organizationId}/members account listMembers',
    'console GET /organizations/{organizationId}/model-providers account listModelProviders',
    'console GET /session anonymous getSession',
    'console PATCH /organizations/{organizationId}/members/{accountId} account updateMember',
    'console POST /api-keys account createApiKey',
    'console POST /organizations/{organizationId}/invitations account createInvitation',
    'console POST /organizations/{organizationId}/members/{accountId}/password-reset account resetMemberPassword',
    'console POST /organizations/{organizationId}/model-providers/{providerName}/test account testModelProvider',
    'console POST /session anonymous signIn',
    'console POST /session/invitation anonymous acceptInvitation',
    'console POST /session/invitation/read anonymous readInvitation',
    'console POST /session/link anonymous redeemSignInLink',
    'console PUT /organizations/{organizationId}/members/{accountId}/disabled account setMemberDisabled',
    'console PUT /organizations/{organizationId}/members/{accountId}/tiers/{projectId} account setMemberTier',
    'console PUT /organizations/{organizationId}/model-providers/{providerName} account setModelProvider',
    'console PUT /password account setPassword',
  ]);
});

test('what a call brings about, where it is more than reading', () => {
  const rows = allOperations.filter((row) => row.surface === 'api' && row.method !== 'GET');
  const named = (effect: string) =>
    rows.flatMap((row) => (effectOf(row) === effect ? [row.operationId] : [])).sort();
  expect(named('reads')).toEqual([
    ...[
      'checkOAuth',
      'estimateJourneyRun',
      'exportServer',
      'getPrompt',
      'listPrompts',
      'listResourceTemplates',
    ],
    ...['listResources', 'listTools', 'readResource', 'runDoctor', 'validateServer'],
  ]);
  expect(named('runs')).toEqual([
    ...[
      'cancelEvalRun',
      'cancelJourneyRun',
      'createEvalIngestUploadUrl',
      'createEvalRun',
      'createEvalRunGroup',
    ],
    ...['finalizeEvalIngestRun', 'ingestEvalRunIterations', 'launchJourneyRun', 'reportEvalRun'],
    ...[
      'requestEvalRunInsights',
      'requestEvalRunJudge',
      'requestWaveInsights',
      'startEvalIngestRun',
    ],
  ]);
});

test('the API document is the one in docs/reference; npm run generate writes it anew', () => {
  const file = new URL('../../docs/reference/openapi.json', import.meta.url);
  expect(openApiDocument()).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

test('the published schemas keep their names and are those in docs/reference', () => {
  expect(publishedSchemaNames).toEqual([
    'eval-run-decision-summary.v1.json',
    'verdict-policy.v2.json',
  ]);
  for (const name of publishedSchemaNames) {
    const file = new URL(`../../docs/reference/${name}`, import.meta.url);
    expect(publishedSchema(name)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  }
});
