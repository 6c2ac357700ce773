import type { ActionOperationId, Operation } from '@proofmark/contract';
import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { createLauncher, hostedModel } from '@proofmark/harness/launcher.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import {
  canary,
  createAuthoredCase,
  createFailedRun,
  createTemplateClient,
  createWaivedRun,
  type Tenant,
} from '@proofmark/harness/two-tenants.ts';
import {
  type Example,
  groupBody,
  launchedGroup,
  type Maker,
  quarantineOf,
  serverBody,
} from './example-parts.ts';
import { journeyRunExamples } from './journey-run-examples.ts';
import { keptOfTrials } from './kept-of-trials.ts';
import { mutationExamples } from './mutation-examples.ts';
import { mcpServer, realServer } from './real-server.ts';
import { scenarioExamples } from './scenario-examples.ts';
import { swarmExamples } from './swarm-examples.ts';
import { visitReadExamples } from './visit-read-examples.ts';
import { waveExamples } from './wave-examples.ts';

const nothing: Maker = () => ({});

/** Operations that delete or decide need new resources. All others share the tenant's resources. */
const makers: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  getMe: nothing,
  listOrganizations: nothing,
  listProjects: nothing,
  createProject: () => ({
    body: { name: unique('Project'), description: 'Made by a test.' },
  }),
  updateProject: () => ({ body: { name: unique('Renamed') } }),
  deleteProject: async (service, tenant) => ({
    values: { projectId: await deletableProject(service, tenant) },
  }),
  getProjectCapabilities: nothing,
  listChatSessions: nothing,
  listModels: nothing,
  listProjectServers: nothing,
  createProjectServer: () => ({ body: serverBody() }),
  getProjectServer: nothing,
  updateProjectServer: () => ({ body: { timeout: 5000 } }),
  deleteProjectServer: async (service, tenant) => ({
    values: {
      serverId: await create(service, tenant, `projects/${tenant.projectId}/servers`, serverBody()),
    },
  }),
  validateServer: toRealServer({}),
  runDoctor: toRealServer({}),
  runServerConformance: toRealServer({ spec: '2025-11-25', scenarios: ['ping'] }),
  checkOAuth: toRealServer({}),
  listTools: toRealServer({}),
  lintServer: toRealServer({}),
  callTool: toRealServer({ toolName: 'structured', parameters: { city: 'Århus' } }),
  previewWidget: toRealServer({ toolName: 'structured', result: { content: [] } }),
  listPrompts: toRealServer({}),
  getPrompt: toRealServer({ promptName: 'greeting', arguments: { name: 'Ida' } }),
  listResources: toRealServer({}),
  listResourceTemplates: toRealServer({}),
  readResource: toRealServer({ uri: 'notes://first' }),
  exportServer: toRealServer({}),
  importOAuthTokens: async (service, tenant) => ({
    values: { serverId: await realServer(service, tenant) },
    body: { serverUrl: (await mcpServer()).url, tokens: { access_token: canary } },
  }),
  listClients: nothing,
  createClient: () => ({ body: { name: unique('Client'), template: 'proofmark' } }),
  getClient: nothing,
  updateClient: async (service, tenant) => {
    const { name } = await readClient(service, tenant);
    return { body: { name: unique('Renamed'), expectedName: name } };
  },
  deleteClient: async (service, tenant) => ({
    values: { client: await createTemplateClient(service, tenant, unique('Client')) },
  }),
  setClientServers: async (service, tenant) => {
    const { configId } = await readClient(service, tenant);
    return { body: { serverIds: [tenant.serverId], expectedConfigId: configId } };
  },
  duplicateClient: () => ({ body: {} }),
  listHosts: nothing,
  createHost: () => ({ body: { name: unique('Client'), template: 'claude', theme: 'dark' } }),
  getHost: nothing,
  updateHost: () => ({ body: { name: unique('Renamed') } }),
  deleteHost: async (service, tenant) => ({
    values: { hostId: await createTemplateClient(service, tenant, unique('Client')) },
  }),
  setHostServers: (_service, tenant) => ({ body: { serverIds: [tenant.serverId] } }),
  duplicateHost: () => ({ body: { name: unique('Copy') } }),
  listEnvironments: nothing,
  createEnvironment: (_service, tenant) => ({
    body: {
      name: unique('Environment'),
      description: 'Made by a test.',
      hostId: tenant.hostId,
      serverAttachmentId: tenant.serverAttachmentId,
      modelId: 'a/b',
      skillSelection: { mode: 'explicit', skillIds: [tenant.skillId] },
      pluginVersionIds: [tenant.pluginVersionId],
      sandboxImageId: 'image',
    },
  }),
  getEnvironmentCapabilities: nothing,
  ensureAdhocEnvironment: (_service, tenant) => ({
    body: {
      hostId: tenant.hostId,
      serverAttachmentId: tenant.serverAttachmentId,
      modelId: unique('a/b'),
      skillSelection: { mode: 'explicit', skillIds: [tenant.skillId] },
      pluginVersionIds: [tenant.pluginVersionId],
      sandboxImageId: 'image',
    },
  }),
  nameEnvironment: async (service, tenant) => ({
    values: { environmentId: await adhocEnvironment(service, tenant) },
    body: { name: unique('Environment'), description: 'Named.', expectedRevision: 1 },
  }),
  getEnvironment: nothing,
  updateEnvironment: async (service, tenant) => ({
    values: { ...(await createEnvironment(service, tenant, unique('Environment'))) },
    body: { modelId: 'a/b', expectedRevision: 1 },
  }),
  resolveEnvironment: nothing,
  archiveEnvironment: async (service, tenant) => ({
    values: { ...(await createEnvironment(service, tenant, unique('Environment'))) },
    body: { expectedRevision: 1 },
  }),
  restoreEnvironment: async (service, tenant) => ({
    values: { environmentId: await archivedEnvironment(service, tenant) },
    body: { expectedRevision: 2 },
  }),
  listServerAttachments: nothing,
  createServerAttachment: (_service, tenant) => ({
    body: { name: unique('Group'), serverIds: [tenant.serverId] },
  }),
  getServerAttachment: nothing,
  deleteServerAttachment: async (service, tenant) => ({
    values: {
      serverAttachmentId: await createInProject(service, tenant, 'server-attachments', {
        serverIds: [tenant.serverId],
      }),
    },
  }),
  listSkills: nothing,
  createSkill: () => ({
    body: { name: unique('Skill'), description: 'Made by a test.', content: 'Be brief.' },
  }),
  getSkill: nothing,
  createSkillVersion: () => ({ body: { content: unique('Be brief') } }),
  deleteSkill: async (service, tenant) => ({
    values: { skillId: await createInProject(service, tenant, 'skills', { content: 'Be brief.' }) },
  }),
  listProjectPlugins: nothing,
  createPlugin: (_service, tenant) => ({
    body: {
      name: unique('Plugin'),
      displayName: 'A plugin',
      declaredVersion: '1.0.0',
      serverIds: [tenant.serverId],
      skillIds: [tenant.skillId],
    },
  }),
  getPlugin: nothing,
  createPluginVersion: (_service, tenant) => ({
    body: { declaredVersion: unique('2'), serverIds: [tenant.serverId] },
  }),
  getPluginVersion: nothing,
  deletePlugin: async (service, tenant) => ({
    values: {
      pluginId: await createInProject(service, tenant, 'plugins', {
        serverIds: [tenant.serverId],
      }),
    },
  }),
  listEvalSuites: nothing,
  createEvalSuite: (_service, tenant) => ({ body: suiteBody(tenant) }),
  getEvalSuite: nothing,
  attachEvalSuiteEnvironment: (_service, tenant) => ({
    body: { environmentId: tenant.environmentId },
  }),
  updateEvalSuite: (_service, tenant) => ({
    body: {
      name: unique('Suite'),
      environment: { servers: [tenant.serverId] },
      environmentIds: [tenant.environmentId],
      hosts: [{ host: tenant.client, servers: [tenant.serverId] }],
      executionConfig: { model: 'a/b', systemPrompt: 'Be brief.', temperature: 0 },
      settings: { minimumIterations: 2, judge: { enabled: true, threshold: 0.5 } },
    },
  }),
  deleteEvalSuite: async (service, tenant, callerKey) => ({
    values: { suiteId: await authoredSuite(service, { ...tenant, key: callerKey ?? tenant.key }) },
  }),
  updateEvalSuiteSchedule: async (service, tenant) => ({
    values: { suiteId: await authoredSuite(service, tenant) },
    body: { enabled: true, intervalMinutes: 60 },
  }),
  importEvalSuite: () => ({
    body: { content: JSON.stringify(suiteFile(unique('suite'))) },
  }),
  exportEvalSuite: async (service, tenant) => ({
    values: { suiteId: await authoredSuite(service, tenant) },
  }),
  listEvalCases: nothing,
  createEvalCase: () => ({ body: { id: unique('case'), title: 'One', steps } }),
  createEvalCases: () => ({
    body: { cases: [{ title: unique('One'), steps }, { title: unique('Two'), steps }, {}] },
  }),
  generateEvalCases: async (service, tenant) => {
    const serverId = await realServer(service, tenant);
    return {
      values: { serverId, suiteId: await authoredSuite(service, tenant, [serverId]) },
      body: { servers: [serverId], caseMix: { simple: 1, negative: 1 } },
    };
  },
  getEvalCase: nothing,
  updateEvalCase: () => ({ body: { iterations: 3, expectedOutput: 'A greeting.' } }),
  deleteEvalCase: async (service, tenant) => ({
    values: { caseId: await createAuthoredCase(service, tenant, tenant.suiteId) },
  }),
  ...mutationExamples,
  listEvalSuiteRuns: nothing,
  getEvalRun: nothing,
  getEvalRunDecisionSummary: nothing,
  createEvalRun: (service, tenant) => ({ body: createLauncher(service, tenant).inline() }),
  estimateEvalRun: async (service, tenant) => ({
    values: { suiteId: await createLauncher(service, tenant).suite() },
  }),
  createEvalRunGroup: async (service, tenant) => ({ body: await groupBody(service, tenant) }),
  getEvalRunGroup: async (service, tenant) => ({
    values: { runGroupId: await launchedGroup(service, tenant) },
  }),
  cancelEvalRun: async (service, tenant) => ({
    values: { runId: await createLauncher(service, tenant).launch() },
  }),
  deleteEvalRun: async (service, tenant, callerKey) => ({
    values: {
      runId: await createLauncher(service, { ...tenant, key: callerKey ?? tenant.key }).ended(),
    },
  }),
  compareEvalRun: ofSecondRun,
  rerunEvalRun: async (service, tenant) => ({
    values: { runId: await createLauncher(service, tenant).ended() },
    body: { scope: 'notGraded' },
  }),
  requestEvalRunInsights: async (service, tenant) => ({
    values: { runId: await createLauncher(service, tenant).ended() },
    body: {},
  }),
  requestEvalRunJudge: async (service, tenant) => ({
    values: { runId: await createLauncher(service, tenant).ended() },
    body: { enable: true, model: hostedModel, threshold: 0.5 },
  }),
  followEvalRun: nothing,
  getEvalRunStages: nothing,
  getEvalRunLint: nothing,
  getEvalRunSurface: ofSecondRun,
  getEvalRunStatistics: nothing,
  getEvalSuiteFlaky: nothing,
  planEvalSuite: async (service, tenant) => ({
    values: { suiteId: await createLauncher(service, tenant).suite() },
    body: { drop: 0.1 },
  }),
  listEvalRunIterations: nothing,
  getEvalIteration: nothing,
  getEvalIterationTrace: nothing,
  getEvalRunSteps: nothing,
  exportTracesOtlp: nothing,
  listSessions: nothing,
  ...keptOfTrials,
  createGateWaiver: async (service, tenant) => ({
    values: { ...(await createFailedRun(service, tenant, unique('suite'))) },
    body: { reason: 'Known and on its way.', expiresAt: Date.now() + 3_600_000 },
  }),
  getGateWaiver: nothing,
  listEvalQuarantine: nothing,
  createEvalQuarantineEntry: async (service, tenant) => {
    const suiteId = await createLauncher(service, tenant).suite();
    const caseId = await createAuthoredCase(service, tenant, suiteId);
    return { values: { suiteId }, body: quarantineOf(caseId) };
  },
  removeEvalQuarantineEntry: nothing,
  revokeGateWaiver: async (service, tenant) => ({
    values: { ...(await createWaivedRun(service, tenant, unique('suite'))) },
  }),
  reportEvalRun: () => ({ body: { suiteName: unique('suite'), results: [passing] } }),
  startEvalIngestRun: () => ({ body: { suiteName: unique('suite') } }),
  ingestEvalRunIterations: async (service, tenant) => ({
    body: { runId: await startRun(service, tenant), results: [passing] },
  }),
  finalizeEvalIngestRun: async (service, tenant) => ({
    body: { runId: await startRun(service, tenant) },
  }),
  runAgentTurn: () => ({ body: { messages: [{ role: 'user', content: 'list the suites' }] } }),
  createEvalIngestUploadUrl: () => ({ body: { format: 'junit-xml' } }),
  ...swarmExamples,
  ...journeyRunExamples,
  ...waveExamples,
  ...scenarioExamples,
  ...visitReadExamples,
};

export async function createExample(
  service: TestService,
  tenant: Tenant,
  { operationId }: Operation,
  callerKey?: string,
): Promise<Example> {
  const maker = makers[operationId as ActionOperationId];
  if (maker === undefined) throw new Error(`Add an example for ${operationId} to examples.ts.`);
  return maker(service, tenant, callerKey);
}

function toRealServer(body: unknown): Maker {
  return async (service, tenant) => ({
    values: { serverId: await realServer(service, tenant) },
    body,
  });
}

async function readClient(
  service: TestService,
  tenant: Tenant,
): Promise<{ readonly name: string; readonly configId: string }> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/clients/${tenant.client}`;
  return (await call(url, { key: tenant.key })).body;
}

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];

function suiteBody(tenant: Tenant, serverIds: readonly string[] = [tenant.serverId]) {
  const tests = [{ title: 'One', steps, runs: 2 }];
  const settings = { minimumIterations: 1 };
  return { name: unique('Suite'), serverIds, model: 'a/b', tests, settings };
}

async function authoredSuite(
  service: TestService,
  tenant: Tenant,
  serverIds?: readonly string[],
): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites`;
  const body = suiteBody(tenant, serverIds);
  const made = await call(url, { method: 'POST', key: tenant.key, body });
  return made.body.suiteId;
}

async function ofSecondRun(service: TestService, tenant: Tenant) {
  const suiteName = unique('suite');
  await createFailedRun(service, tenant, suiteName);
  return { values: { runId: (await createFailedRun(service, tenant, suiteName)).runId } };
}

async function adhocEnvironment(service: TestService, tenant: Tenant): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/environments/ensure-adhoc`;
  const body = { hostId: tenant.hostId, modelId: unique('a/b') };
  const answer = await call(url, { method: 'POST', key: tenant.key, body });
  return answer.body.environment.id;
}

async function archivedEnvironment(service: TestService, tenant: Tenant): Promise<string> {
  const { environmentId } = await createEnvironment(service, tenant, unique('Environment'));
  const path = `projects/${tenant.projectId}/environments/${environmentId}/archive`;
  return create(service, tenant, path, { expectedRevision: 1 });
}

function createInProject(
  service: TestService,
  tenant: Tenant,
  kind: string,
  body: object,
): Promise<string> {
  const path = `projects/${tenant.projectId}/${kind}`;
  return create(service, tenant, path, { name: unique('Made'), ...body });
}

async function startRun(service: TestService, tenant: Tenant): Promise<string> {
  const started = await createReporter(service, tenant).ingest('runs/start', {
    suiteName: unique('suite'),
  });
  return started.body.runId;
}

async function deletableProject(service: TestService, tenant: Tenant): Promise<string> {
  const projectId = await create(service, tenant, 'projects', { name: unique('Project') });
  await service.owner.sql`
    insert into project_members (organization_id, project_id, account_id, tier)
    select organization_id, ${projectId}, account_id, tier from project_members
    where project_id = ${tenant.projectId} on conflict do nothing`;
  return projectId;
}

async function create(
  service: TestService,
  tenant: Tenant,
  path: string,
  body: unknown,
): Promise<string> {
  const answer = await call(`${service.baseUrl}/api/v1/${path}`, {
    method: 'POST',
    key: tenant.key,
    body,
  });
  return answer.body.id;
}
