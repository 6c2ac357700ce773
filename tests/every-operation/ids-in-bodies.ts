/**
 * The values for id-shaped fields of bodies. A reference names a resource of the service, so an id
 * of another tenant is rejected like a missing one. All other id-shaped fields contain ids that the
 * caller or a third party chose.
 */
import { insertRun, insertTrialRows } from '@proofmark/harness/eval-rows.ts';
import { createLauncher, hostedModel } from '@proofmark/harness/launcher.ts';
import { passing, unique } from '@proofmark/harness/reporter.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { aroundReferences } from './around-references.ts';
import { chatReferences } from './chat-references.ts';
import { quarantineOf } from './example-parts.ts';
import type { Reference } from './id-fields.ts';
import { realServer } from './real-server.ts';
import { scenarioReferences } from './scenario-examples.ts';
import { swarmReferences } from './swarm-references.ts';
import { visitReadReferences } from './visit-read-examples.ts';

type Named =
  | 'serverId'
  | 'client'
  | 'hostId'
  | 'suiteId'
  | 'caseId'
  | 'skillId'
  | 'environmentId'
  | 'organizationId'
  | 'serverAttachmentId'
  | 'pluginVersionId';

function naming(name: Named, body: Reference['body']): Reference {
  return { id: (_service, tenant) => tenant[name], body };
}

const config = (more: object) => ({ modelId: 'a/b', ...more });
const explicit = (id: string) => ({ mode: 'explicit', skillIds: [id] });
const pinned = (id: string) => [
  {
    id: 'pin',
    kind: 'toolCall',
    serverName: 'Sample',
    serverId: id,
    toolName: 'echo',
    arguments: {},
  },
];

/**
 * The references in a client's config. Four operations accept such a config: two that create a
 * client and two that edit one.
 */
const inConfig = {
  'config.serverIds[]': naming('serverId', (_s, _m, id) => config({ serverIds: [id] })),
  'config.optionalServerIds[]': naming('serverId', (_s, _m, id) =>
    config({ optionalServerIds: [id] }),
  ),
  'config.skillSelection.skillIds[]': naming('skillId', (_s, _m, id) =>
    config({ skillSelection: explicit(id) }),
  ),
};

function inConfigs(
  operationId: string,
  around: (service: TestService, mine: Tenant) => object | Promise<object>,
): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(inConfig).map(([path, reference]) => [
      `${operationId} ${path}`,
      {
        id: reference.id,
        body: async (service, mine, id) => ({
          ...(await around(service, mine)),
          config: await reference.body(service, mine, id),
        }),
      } satisfies Reference,
    ]),
  );
}

const asClient = {
  validateServer: {},
  runDoctor: {},
  listTools: {},
  lintServer: {},
  callTool: { toolName: 'structured', parameters: { city: 'Århus' } },
  previewWidget: { toolName: 'structured', result: { content: [] } },
  listPrompts: {},
  getPrompt: { promptName: 'greeting', arguments: { name: 'Ida' } },
  listResources: {},
  listResourceTemplates: {},
  readResource: { uri: 'notes://first' },
  exportServer: {},
};

const environment = (more: object) => ({ name: unique('Environment'), ...more });
const inEnvironment = (
  operationId: string,
  around: (mine: Tenant) => object,
): Record<string, Reference> => ({
  [`${operationId} hostId`]: naming('hostId', (_s, mine, id) => ({ ...around(mine), hostId: id })),
  [`${operationId} serverAttachmentId`]: naming('serverAttachmentId', (_s, mine, id) => ({
    ...around(mine),
    serverAttachmentId: id,
  })),
  [`${operationId} skillSelection.skillIds[]`]: naming('skillId', (_s, mine, id) => ({
    ...around(mine),
    skillSelection: explicit(id),
  })),
  [`${operationId} pluginVersionIds[]`]: naming('pluginVersionId', (_s, mine, id) => ({
    ...around(mine),
    pluginVersionIds: [id],
  })),
});

async function configIdOf(service: TestService, { projectId, client, key }: Tenant) {
  const url = `${service.baseUrl}/api/v1/projects/${projectId}/clients/${client}`;
  return (await call(url, { key })).body.configId as string;
}

async function startRun(service: TestService, { projectId, key }: Tenant): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${projectId}/eval-ingest/runs/start`;
  const body = { suiteName: unique('suite') };
  return (await call(url, { method: 'POST', key, body })).body.runId;
}

const tests = (steps: readonly object[]) => [{ title: 'One', steps, model: hostedModel }];
const prompt = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
const inline = (service: TestService, mine: Tenant, more: object) =>
  createLauncher(service, mine).inline(more);

const attached = new Map<string, string>();
const recordedSuites = new Map<string, string>();

export const references: Readonly<Record<string, Reference>> = {
  'createProject organizationId': naming('organizationId', (_s, _m, id) => ({
    name: unique('Project'),
    organizationId: id,
  })),
  'createApiKey organizationId': naming('organizationId', (_s, _m, id) => ({
    name: unique('Key'),
    organizationId: id,
  })),
  ...Object.fromEntries(
    Object.entries(asClient).map(([operationId, body]) => [
      `${operationId} clientId`,
      naming('client', (_s, _m, id) => ({ ...body, clientId: id })),
    ]),
  ),
  ...inConfigs('createClient', () => ({ name: unique('Client') })),
  ...inConfigs('createHost', () => ({ name: unique('Client') })),
  ...inConfigs('updateHost', () => ({})),
  ...inConfigs('updateClient', async (service, mine) => ({
    expectedConfigId: await configIdOf(service, mine),
  })),
  'updateClient set.skillSelection.skillIds[]': naming('skillId', async (service, mine, id) => ({
    set: { skillSelection: explicit(id) },
    expectedConfigId: await configIdOf(service, mine),
  })),
  ...Object.fromEntries(
    ['serverIds', 'optionalServerIds'].flatMap((list) => [
      [
        `setClientServers ${list}[]`,
        naming('serverId', async (service, mine, id) => ({
          serverIds: [],
          [list]: [id],
          expectedConfigId: await configIdOf(service, mine),
        })),
      ],
      [
        `setHostServers ${list}[]`,
        naming('serverId', (_s, _m, id) => ({ serverIds: [], [list]: [id] })),
      ],
    ]),
  ),
  ...inEnvironment('createEnvironment', ({ hostId }) => environment({ hostId })),
  ...inEnvironment('ensureAdhocEnvironment', ({ hostId }) => ({ hostId, modelId: unique('a/b') })),
  ...inEnvironment('updateEnvironment', () => ({ expectedRevision: 1 })),
  'createServerAttachment serverIds[]': naming('serverId', (_s, _m, id) => ({
    name: unique('Group'),
    serverIds: [id],
  })),
  ...Object.fromEntries(
    ['createPlugin', 'createPluginVersion'].flatMap((operationId) => {
      const around = () => (operationId === 'createPlugin' ? { name: unique('Plugin') } : {});
      return [
        [
          `${operationId} serverIds[]`,
          naming('serverId', (_s, _m, id) => ({ ...around(), serverIds: [id] })),
        ],
        [
          `${operationId} skillIds[]`,
          naming('skillId', (_s, _m, id) => ({ ...around(), skillIds: [id] })),
        ],
      ];
    }),
  ),
  'createEvalSuite serverIds[]': naming('serverId', (_s, _m, id) => ({
    name: unique('Suite'),
    serverIds: [id],
    model: 'a/b',
    tests: tests(prompt),
  })),
  'createEvalSuite tests[].steps[].serverId': naming('serverId', (_s, mine, id) => ({
    name: unique('Suite'),
    serverIds: [mine.serverId],
    model: 'a/b',
    tests: tests(pinned(id)),
  })),
  'updateEvalSuite environment.servers[]': naming('serverId', (_s, _m, id) => ({
    environment: { servers: [id] },
  })),
  'attachEvalSuiteEnvironment environmentId': naming('environmentId', (_s, _m, id) => ({
    environmentId: id,
  })),
  'updateEvalSuite environmentIds[]': naming('environmentId', (_s, _m, id) => ({
    environmentIds: [id],
  })),
  'updateEvalSuite hosts[].host': naming('client', (_s, _m, id) => ({ hosts: [{ host: id }] })),
  'updateEvalSuite hosts[].servers[]': naming('serverId', (_s, mine, id) => ({
    hosts: [{ host: mine.client, servers: [id] }],
  })),
  'updateEvalSuiteSchedule environmentId': {
    isOfSuite: true,
    ...naming('environmentId', (_s, _m, id) => ({
      enabled: true,
      intervalMinutes: 60,
      environmentId: id,
    })),
  },
  'importEvalSuite serverIds{}': naming('serverId', (_s, _m, id) => {
    const file = suiteFile(unique('suite'));
    return { content: JSON.stringify(file), serverIds: { Sample: id } };
  }),
  ...aroundReferences(inline),
  'createEvalCase steps[].serverId': naming('serverId', (_s, _m, id) => ({
    title: unique('One'),
    steps: pinned(id),
  })),
  'updateEvalCase steps[].serverId': naming('serverId', (_s, _m, id) => ({ steps: pinned(id) })),
  'createEvalCases cases[].steps[].serverId': {
    ...naming('serverId', (_s, _m, id) => ({ cases: [{ title: 'A step', steps: pinned(id) }] })),
    isInBatch: true,
  },
  'generateEvalCases servers[]': {
    id: realServer,
    body: (_s, _m, id) => ({ servers: [id] }),
  },
  'generateEvalCases environmentId': {
    isOfSuite: true,
    ...naming('environmentId', (_s, _m, id) => ({ environmentId: id })),
  },
  'createEvalRun suiteId': {
    id: (service, tenant) => createLauncher(service, tenant).suite(),
    body: (_s, _m, id) => ({ suiteId: id }),
  },
  'createEvalRun serverIds[]': naming('serverId', (service, mine, id) =>
    inline(service, mine, { serverIds: [id] }),
  ),
  'createEvalRun tests[].steps[].serverId': naming('serverId', (service, mine, id) =>
    inline(service, mine, { tests: tests(pinned(id)) }),
  ),
  'createEvalRun environmentId': {
    isOfSuite: true,
    ...naming('environmentId', async (service, mine, id) => ({
      suiteId: await createLauncher(service, mine).suite(),
      environmentId: id,
    })),
  },
  'createEvalRun namedHostId': naming('hostId', (service, mine, id) =>
    inline(service, mine, { namedHostId: id }),
  ),
  'createEvalQuarantineEntry caseId': {
    id: (_service, tenant) => tenant.caseId,
    body: (_s, _m, id) => quarantineOf(id),
    isOfSuite: true,
  },
  'createEvalRun caseIds[]': {
    isOfSuite: true,
    ...naming('caseId', async (service, mine, id) => ({
      suiteId: await createLauncher(service, mine).suite(),
      caseIds: [id],
    })),
  },
  'createEvalRun replay.runId': {
    async id(service, tenant) {
      const suiteId = await createLauncher(service, tenant).suite();
      const run = await insertRun(
        service,
        { ...tenant, suiteId },
        { source: 'api', run_number: 1000 },
      );
      const { runId } = run;
      const recorded = { case_id: tenant.caseId, recording_state: 'kept' };
      await insertTrialRows(service, run, [recorded]);
      recordedSuites.set(`${tenant.projectId} ${runId}`, suiteId);
      return runId;
    },
    body: async (service, mine, id) => ({
      suiteId:
        recordedSuites.get(`${mine.projectId} ${id}`) ??
        (await createLauncher(service, mine).suite()),
      replay: { runId: id, model: 'recorded', servers: 'recorded' },
    }),
  },
  'createEvalRunGroup suiteId': {
    async id(service, tenant) {
      const launcher = createLauncher(service, tenant);
      const environmentId = await launcher.environment();
      const suiteId = await launcher.suite({}, { environmentIds: [environmentId] });
      attached.set(`${tenant.projectId} ${suiteId}`, environmentId);
      return suiteId;
    },
    body: (_s, mine, id) => ({
      suiteId: id,
      targets: [{ environmentId: attached.get(`${mine.projectId} ${id}`) ?? mine.environmentId }],
    }),
  },
  'createEvalRunGroup targets[].environmentId': {
    isOfSuite: true,
    ...naming('environmentId', async (service, mine, id) => ({
      suiteId: await createLauncher(service, mine).suite(),
      targets: [{ environmentId: id }],
    })),
  },
  'createEvalRunGroup targets[].namedHostId': {
    isOfSuite: true,
    ...naming('hostId', async (service, mine, id) => ({
      suiteId: await createLauncher(service, mine).suite(),
      targets: [{ namedHostId: id }],
    })),
  },
  'createEvalRunGroup caseIds[]': {
    isOfSuite: true,
    ...naming('caseId', async (service, mine, id) => ({
      suiteId: await createLauncher(service, mine).suite(
        {},
        { environmentIds: [mine.environmentId] },
      ),
      targets: [{ environmentId: mine.environmentId }],
      caseIds: [id],
    })),
  },
  'ingestEvalRunIterations runId': {
    id: startRun,
    body: (_s, _m, id) => ({ runId: id, results: [passing] }),
  },
  'createEvalSuiteMutation runId': {
    id: (_service, tenant) => tenant.runId,
    body: (_s, _m, id) => ({ servers: 'recorded', runId: id }),
    isOfSuite: true,
  },
  'finalizeEvalIngestRun runId': { id: startRun, body: (_s, _m, id) => ({ runId: id }) },
  'reportEvalRun artifact.artifactId': {
    async id(service, tenant) {
      const { artifactId, uploadUrl } = await mintUpload(service, tenant, { format: 'junit-xml' });
      await sendFile(uploadUrl, '<testsuite name="s"><testcase name="one"/></testsuite>');
      return artifactId;
    },
    body: (_s, _m, id) => ({
      suiteName: unique('suite'),
      artifact: { artifactId: id, format: 'junit-xml' },
    }),
  },
  ...swarmReferences,
  ...scenarioReferences,
  ...visitReadReferences,
  ...chatReferences,
  'redeemShareLink scenarioId': {
    id: admittedTo,
    body: (_service, _mine, id) => ({ scenarioId: id }),
  },
};

async function admittedTo({ owner: { sql } }: TestService, tenant: Tenant): Promise<string> {
  const { organizationId, projectId, scenarioId, accountId } = tenant;
  await sql`
    insert into scenario_grants (id, organization_id, project_id, scenario_id, account_id)
    values (${unique('sgr')}, ${organizationId}, ${projectId}, ${scenarioId}, ${accountId})
    on conflict do nothing`;
  return scenarioId;
}

export const ownWords: readonly { readonly place: RegExp; readonly what: string }[] = [
  { place: /^\w+ProjectServer clientId$/, what: 'who the service is to an issuer' },
  { place: /^importOAuthTokens clientInformation\.clientId$/, what: 'who holds the tokens' },
  { place: /[ .]modelId$/, what: 'a model, by the name of its provider' },
  { place: /[ .]builtInToolIds\[\]$/, what: 'tools of a client, by their names' },
  { place: / sandboxImageId$/, what: 'kept as it was given' },
  { place: /^runServerConformance scenarios\[\]$/, what: 'a scenario, as the suite names it' },
  { place: / expectedConfigId$/, what: 'what the caller has read, to be compared' },
  { place: /[ .[\]](steps|before|after)\[\]\.id$/, what: 'a step, as its case calls it' },
  {
    place: /^createEvalCase(FromSession)? (id|declaredId)$/,
    what: 'a case, as its author calls it',
  },
  { place: / tests\[\]\.(id|declaredId)$/, what: 'a case, as its author calls it' },
  { place: / rubric\[\]\.id$/, what: 'a criterion, as its journey calls it' },
  { place: /JourneyRun waveId$/, what: 'a wave, as whoever launches calls it' },
  { place: /^create(EvalSuiteMutation |EvalRun replay\.)servers$/, what: 'live or recorded' },
  { place: /\.target\.testId$/, what: 'an element of a widget' },
  { place: /^(redeemSignInLink|readInvitation|acceptInvitation) token$/, what: 'a secret' },
  { place: / (externalRunId|runGroupId|idempotencyKey)$/, what: 'a run, as its reporter calls it' },
  { place: /^redeemShareLink (token|invite)$/, what: 'a secret' },
  { place: / (clientTurnId|messageId)$/, what: 'a turn or a message, as the page calls it' },
  {
    place: /^(answer(Chat)?Approval approvalId|giveFeedback turnId)$/,
    what: 'of a conversation that is the person’s own, or it is not found before',
  },
  { place: /^runAgentTurn (conversationId|slackChannelId)$/, what: 'taken and not used' },
  { place: / results\[\]\.(caseId|external\w+Id)$/, what: 'as the reporter calls it' },
  { place: / serverReplayConfigs\[\]\.serverId$/, what: 'as the reporter calls it' },
];
