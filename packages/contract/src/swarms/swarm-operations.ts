import { defineOperation } from '../operation.ts';
import * as shapes from './swarm-shapes.ts';

const tag = 'Swarms';
const path = '/projects/{projectId}/swarms';

export const listSwarms = defineOperation({
  operationId: 'listSwarms',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the swarms of a project',
  description: 'Newest first, without archived ones. Empty while swarms are switched off.',
  access: 'member',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.SwarmPage,
});

export const createSwarm = defineOperation({
  operationId: 'createSwarm',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a swarm',
  description: 'Its values are only defaults for forms; no journey inherits them.',
  access: 'member',
  feature: 'swarms',
  body: shapes.SwarmCreateRequest,
  idempotent: true,
  status: 201,
  output: shapes.Swarm,
});

export const getSwarm = defineOperation({
  operationId: 'getSwarm',
  surface: 'api',
  method: 'GET',
  path: `${path}/{swarmId}`,
  tag,
  summary: 'Read a swarm',
  description: '404 for an archived swarm.',
  access: 'member',
  status: 200,
  output: shapes.Swarm,
});

export const updateSwarm = defineOperation({
  operationId: 'updateSwarm',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{swarmId}`,
  tag,
  summary: 'Edit a swarm',
  description: 'Does not change any journey.',
  access: 'member',
  feature: 'swarms',
  body: shapes.SwarmUpdateRequest,
  status: 200,
  output: shapes.Swarm,
  refusals: ['CONFLICT'],
});

export const archiveSwarm = defineOperation({
  operationId: 'archiveSwarm',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{swarmId}`,
  tag,
  summary: 'Archive a swarm',
  description: 'Its journeys remain and keep its id. Works even if swarms are switched off.',
  access: 'member',
  status: 200,
  output: shapes.SwarmArchived,
});
