/** Personas, swarms and journeys: their lists, one of each, and how they are written. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { client } from './client.ts';
import { useDeleteEntity, useEntities, useEntity, useWriteEntity } from './project-entities.ts';

export type Persona = OutputOf<'getPersona'>;
export type Swarm = OutputOf<'getSwarm'>;
export type Journey = OutputOf<'getJourney'>;

export function usePersonas(projectId: string) {
  return useEntities<Persona>(['personas', projectId], (page, signal) =>
    client.listPersonas({ projectId, ...page }, { signal }),
  );
}

export function usePersona(projectId: string, personaId: string) {
  return useEntity<Persona>(['personas', projectId, personaId], (signal) =>
    client.getPersona({ projectId, personaId }, { signal }),
  );
}

export function useCreatePersona(projectId: string) {
  return useWriteEntity('personas', projectId, (body: BodyInputOf<'createPersona'>) =>
    client.createPersona({ projectId, body }),
  );
}

export function useUpdatePersona(projectId: string, personaId: string) {
  return useWriteEntity('personas', projectId, (body: BodyInputOf<'updatePersona'>) =>
    client.updatePersona({ projectId, personaId, body }),
  );
}

export function useArchivePersona(projectId: string, personaId: string, leave: Leave) {
  const remove = () => client.deletePersona({ projectId, personaId });
  return useDeleteEntity('personas', projectId, remove, leave);
}

export function useSwarms(projectId: string) {
  return useEntities<Swarm>(['swarms', projectId], (page, signal) =>
    client.listSwarms({ projectId, ...page }, { signal }),
  );
}

export function useSwarm(projectId: string, swarmId: string) {
  return useEntity<Swarm>(['swarms', projectId, swarmId], (signal) =>
    client.getSwarm({ projectId, swarmId }, { signal }),
  );
}

export function useCreateSwarm(projectId: string) {
  return useWriteEntity('swarms', projectId, (body: BodyInputOf<'createSwarm'>) =>
    client.createSwarm({ projectId, body }),
  );
}

export function useUpdateSwarm(projectId: string, swarmId: string) {
  return useWriteEntity('swarms', projectId, (body: BodyInputOf<'updateSwarm'>) =>
    client.updateSwarm({ projectId, swarmId, body }),
  );
}

export function useArchiveSwarm(projectId: string, swarmId: string, leave: Leave) {
  const remove = () => client.archiveSwarm({ projectId, swarmId });
  return useDeleteEntity('swarms', projectId, remove, leave);
}

export function useJourneys(projectId: string) {
  return useEntities<Journey>(['journeys', projectId], (page, signal) =>
    client.listJourneys({ projectId, ...page }, { signal }),
  );
}

export function useJourney(projectId: string, journeyId: string) {
  return useEntity<Journey>(['journeys', projectId, journeyId], (signal) =>
    client.getJourney({ projectId, journeyId }, { signal }),
  );
}

export function useCreateJourney(projectId: string) {
  return useWriteEntity('journeys', projectId, (body: BodyInputOf<'createJourney'>) =>
    client.createJourney({ projectId, body }),
  );
}

export function useUpdateJourney(projectId: string, journeyId: string) {
  return useWriteEntity('journeys', projectId, (body: BodyInputOf<'updateJourney'>) =>
    client.updateJourney({ projectId, journeyId, body }),
  );
}

export function useArchiveJourney(projectId: string, journeyId: string, leave: Leave) {
  const remove = () => client.archiveJourney({ projectId, journeyId });
  return useDeleteEntity('journeys', projectId, remove, leave);
}

type Leave = () => Promise<void>;
