import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Reference } from './id-fields.ts';
import { answeringEnvironment, answeringGroup, journeyBody, swarmBody } from './swarm-examples.ts';

const persona = { name: 'Ada', role: 'Visitor' };

function naming(
  name: 'personaId' | 'swarmId' | 'environmentId' | 'hostId' | 'serverAttachmentId',
  body: (id: string, mine: Tenant) => object,
): Reference {
  return { id: (_service, tenant) => tenant[name], body: (_service, mine, id) => body(id, mine) };
}

const targets = {
  'environmentIds[]': ['environmentId', (id: string) => ({ environmentIds: [id] })],
  'hostIds[]': ['hostId', (id: string) => ({ hostIds: [id] })],
  serverAttachmentId: ['serverAttachmentId', (id: string) => ({ serverAttachmentId: id })],
} as const;

export const swarmReferences: Readonly<Record<string, Reference>> = {
  'createSwarm environmentIds[]': naming('environmentId', (id) =>
    swarmBody({ environmentIds: [id] }),
  ),
  ...Object.fromEntries(
    ['launchJourneyRun', 'estimateJourneyRun'].map((operationId) => [
      `${operationId} environmentIds[]`,
      {
        id: answeringEnvironment,
        body: (_service: unknown, _mine: unknown, id: string) => ({ environmentIds: [id] }),
      },
    ]),
  ),
  'updateSwarm environmentIds[]': naming('environmentId', (id) => ({ environmentIds: [id] })),
  'createEvalCaseFromSession suiteId': {
    id: (_service, tenant) => tenant.suiteId,
    body: (_service, _mine, suiteId) => ({ suiteId }),
  },
  'createJourney personaId': naming('personaId', (id) => journeyBody({ personaId: id })),
  'createJourney swarmId': naming('swarmId', (id, mine) => journeyBody(mine, { swarmId: id })),
  'updateJourney swarmId': naming('swarmId', (id) => ({ swarmId: id })),
  ...Object.fromEntries(
    Object.entries(targets).flatMap(([path, [name, body]]) => [
      [`createJourney ${path}`, naming(name, (id, mine) => journeyBody(mine, body(id)))],
      [`updateJourney ${path}`, naming(name, body)],
    ]),
  ),
  ...Object.fromEntries(
    (['generatePersonas', 'generateJourneys'] as const).flatMap((operationId) => {
      const around = operationId === 'generateJourneys' ? { persona } : {};
      const grounded = (field: string, id: Reference['id']): [string, Reference] => [
        `${operationId} ${field}`,
        { id, body: (_service, _mine, given) => ({ ...around, [field]: given }) },
      ];
      return [
        grounded('environmentId', answeringEnvironment),
        grounded('serverAttachmentId', answeringGroup),
      ];
    }),
  ),
};
