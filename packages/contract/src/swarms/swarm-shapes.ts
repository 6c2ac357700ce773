import * as z from 'zod';
import { atLeastOneField, Description, Id, Instant, Name, pageOf } from '../fields.ts';
import {
  archivedShape,
  bothNumbersOrNeither,
  EnvironmentIds,
  MaxTurns,
  numbersTogether,
  SessionsPerTarget,
} from './fields.ts';

export const Swarm = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    description: z.string().nullable(),
    environmentIds: z.array(Id),
    sessionsPerTarget: z.int().nullable(),
    maxTurns: z.int().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Swarm',
    description: 'A folder of journeys, with default values for forms. No journey inherits them.',
  });
export type Swarm = z.infer<typeof Swarm>;

export const SwarmPage = pageOf(Swarm, 'SwarmPage');

const writable = {
  name: Name,
  description: Description.nullable(),
  environmentIds: EnvironmentIds,
  sessionsPerTarget: SessionsPerTarget,
  maxTurns: MaxTurns,
};

export const SwarmCreateRequest = z
  .strictObject(writable)
  .partial()
  .required({ name: true, sessionsPerTarget: true, maxTurns: true })
  .meta({ id: 'SwarmCreateRequest' });

export const SwarmUpdateRequest = atLeastOneField(
  z.strictObject({ ...writable, environmentIds: EnvironmentIds.nullable() }).partial(),
)
  .refine(bothNumbersOrNeither, numbersTogether)
  .meta({
    id: 'SwarmUpdateRequest',
    description: 'Omitted fields keep their values; null clears.',
  });

export const SwarmArchived = archivedShape('SwarmArchived');
