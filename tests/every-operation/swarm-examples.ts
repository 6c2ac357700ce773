import type { ActionOperationId } from '@proofmark/contract';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Maker } from './example-parts.ts';
import { realServer } from './real-server.ts';

const nothing: Maker = () => ({});
const numbers = { sessionsPerTarget: 2, maxTurns: 4 };

export function journeyBody({ personaId }: Pick<Tenant, 'personaId'>, more: object = {}): object {
  return {
    goal: 'Find the opening hours. Tell me when Sunday begins.',
    personaId,
    ...numbers,
    ...more,
  };
}

export function swarmBody(more: object = {}): object {
  return { name: unique('Swarm'), ...numbers, ...more };
}

export const swarmExamples: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  listPersonas: nothing,
  createPersona: () => ({ body: { name: unique('Ada'), role: 'Visitor', notes: 'Is new here.' } }),
  getPersona: nothing,
  updatePersona: () => ({ body: { role: 'Guest', avatarShape: 2 } }),
  deletePersona: async (service, tenant) => ({
    values: {
      personaId: await makeIn(service, tenant, 'personas', { name: 'Ada', role: 'Guest' }),
    },
  }),
  generatePersonas: async (service, tenant) => ({
    body: { serverAttachmentId: await answeringGroup(service, tenant), personaCount: 2 },
  }),
  listSwarms: nothing,
  createSwarm: (_service, { environmentId }) => ({
    body: swarmBody({ description: 'All of it.', environmentIds: [environmentId] }),
  }),
  getSwarm: nothing,
  updateSwarm: () => ({ body: { description: null, ...numbers } }),
  archiveSwarm: async (service, tenant) => ({
    values: { swarmId: await makeIn(service, tenant, 'swarms', swarmBody()) },
  }),
  listJourneys: nothing,
  createJourney: (_service, tenant) => ({
    body: journeyBody(tenant, {
      swarmId: tenant.swarmId,
      environmentIds: [tenant.environmentId],
      hostIds: [tenant.hostId],
      serverAttachmentId: tenant.serverAttachmentId,
      rubric: [{ label: 'No tool fails', predicate: { type: 'noToolErrors' } }],
      judgeConfig: { goalCompletion: { autoRun: true, threshold: 0.8 } },
      personaModel: 'proofmark/scripted-user-1',
    }),
  }),
  getJourney: nothing,
  updateJourney: () => ({ body: { name: unique('Journey'), rubric: null, ...numbers } }),
  archiveJourney: async (service, tenant) => ({
    values: { journeyId: await makeIn(service, tenant, 'journeys', journeyBody(tenant)) },
  }),
  generateJourneys: async (service, tenant) => ({
    body: {
      environmentId: await answeringEnvironment(service, tenant),
      persona: { name: 'Ada', role: 'Visitor' },
      journeyCount: 1,
    },
  }),
};

export async function answeringGroup(service: TestService, tenant: Tenant): Promise<string> {
  const serverIds = [await realServer(service, tenant)];
  return makeIn(service, tenant, 'server-attachments', { name: unique('Group'), serverIds });
}

export async function answeringEnvironment(service: TestService, tenant: Tenant): Promise<string> {
  const serverAttachmentId = await answeringGroup(service, tenant);
  const name = unique('Environment');
  return makeIn(service, tenant, 'environments', {
    name,
    hostId: tenant.hostId,
    serverAttachmentId,
    modelId: 'proofmark/lexical-1',
  });
}

export async function makeIn(
  service: TestService,
  tenant: Tenant,
  kind: string,
  body: object,
): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${kind}`;
  const made = await call(url, { method: 'POST', key: tenant.key, body });
  if (made.status !== 201) throw new Error(`${kind} could not be created: ${made.text}`);
  return made.body.id;
}
