/** Personas, swarms and journeys: their lists, one of each, and how they are written. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { client } from '../../../kit/data/client.ts';
import {
  useDeleteEntity,
  useEntities,
  useEntity,
  useWriteEntity,
} from '../../../kit/data/project-entities.ts';
import { mayChange } from '../may-change.ts';

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

export function useJourneys(projectId: string) {
  return useEntities<Journey>(
    ['journeys', projectId],
    (page, signal) => client.listJourneys({ projectId, ...page }, { signal }),
    (journeys) => journeys.some(({ latestRun }) => latestRun && mayChange(latestRun)),
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

/** What is archived by one gesture, wherever it stands. */
export type Archivable = keyof typeof archive;

export function useArchive(
  kind: Archivable,
  { projectId, id }: { readonly projectId: string; readonly id: string },
  leave: () => Promise<void>,
) {
  return useDeleteEntity(kind, projectId, () => archive[kind](projectId, id), leave);
}

const archive = {
  personas: (projectId: string, personaId: string): Promise<unknown> =>
    client.deletePersona({ projectId, personaId }),
  swarms: (projectId: string, swarmId: string): Promise<unknown> =>
    client.archiveSwarm({ projectId, swarmId }),
  journeys: (projectId: string, journeyId: string): Promise<unknown> =>
    client.archiveJourney({ projectId, journeyId }),
};
