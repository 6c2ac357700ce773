import { type IdKind, lexicalModelId, newJourney, personaSlug, plainSlug } from '@proofmark/domain';
import { insertClient } from '../../features/clients/store/clients.ts';
import {
  findLiveEnvironment,
  insertEnvironment,
} from '../../features/environments/store/environments.ts';
import { insertJourney } from '../../features/swarms/store/journeys.ts';
import {
  findTakenSlugs,
  holdPersonasOfProject,
  insertPersona,
} from '../../features/swarms/store/personas.ts';
import type { Sql } from '../../platform/database/database.ts';
import {
  buyingJourney,
  type SampleJourney,
  sampleMaxTurns,
  sampleTargetName,
  weekendJourney,
} from './sample-swarm.ts';

interface Place {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Returns undefined if another environment already has the sample's name. */
export async function seedSampleSwarm(
  sql: Sql,
  place: Place,
  serverId: string,
  newId: (kind: IdKind) => string,
): Promise<string | undefined> {
  const { organizationId, projectId } = place;
  if (await findLiveEnvironment(sql, projectId, sampleTargetName)) return undefined;
  const hostId = newId('client');
  await insertClient(sql, {
    ...place,
    id: hostId,
    name: sampleTargetName,
    config: {
      modelId: lexicalModelId,
      serverIds: [serverId],
      clientCapabilities: {},
      hostContext: {},
    },
  });
  const environmentId = newId('environment');
  const made = await insertEnvironment(sql, organizationId, {
    id: environmentId,
    projectId,
    hostId,
    name: sampleTargetName,
    revision: 1,
    description: 'The sample bookshop, with the built-in model.',
    modelId: null,
    serverAttachmentId: null,
    skillSelection: null,
    pluginVersionIds: null,
    sandboxImageId: null,
    archivedAt: null,
  });
  // The name was taken after the check. Throwing rolls back the transaction, so that no client
  // without an environment remains.
  if (made === 'nameTaken')
    throw new Error('An environment with the name of the sample already exists.');
  await holdPersonasOfProject(sql, projectId);
  const seed = (journey: SampleJourney) => seedJourney(sql, place, environmentId, journey, newId);
  await seed(buyingJourney);
  return seed(weekendJourney);
}

async function seedJourney(
  sql: Sql,
  place: Place,
  environmentId: string,
  { persona, ...journey }: SampleJourney,
  newId: (kind: IdKind) => string,
): Promise<string> {
  const taken = await findTakenSlugs(sql, place.projectId, plainSlug(persona.name));
  const { id: personaId } = await insertPersona(sql, place, {
    ...persona,
    id: newId('persona'),
    slug: personaSlug(persona.name, taken),
    source: 'manual',
    seedKeywords: null,
    avatarShape: null,
    avatarPalette: null,
  });
  const stated = {
    ...journey,
    id: newId('journey'),
    personaId,
    maxTurns: sampleMaxTurns,
    environmentIds: [environmentId],
  };
  const first = newJourney(stated, () => newId('criterion'));
  if ('refusal' in first) throw new Error(first.refusal.message);
  return (await insertJourney(sql, place, first.journey)).id;
}
