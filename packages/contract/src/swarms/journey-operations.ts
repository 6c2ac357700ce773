import { defineOperation } from '../operation.ts';
import { GenerationDrafts, JourneyGenerateRequest } from './draft-shapes.ts';
import * as shapes from './journey-shapes.ts';

const tag = 'Swarms';
const path = '/projects/{projectId}/journeys';

export const listJourneys = defineOperation({
  operationId: 'listJourneys',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the journeys of a project',
  description: 'Newest first, without archived ones. Empty while swarms are switched off.',
  access: 'member',
  query: shapes.JourneyFilter,
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.JourneyPage,
});

export const createJourney = defineOperation({
  operationId: 'createJourney',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a journey',
  description:
    '404 if the persona, the swarm or a target does not exist, 409 if an environment is archived.',
  access: 'member',
  feature: 'swarms',
  body: shapes.JourneyCreateRequest,
  idempotent: true,
  status: 201,
  output: shapes.Journey,
});

export const generateJourneys = defineOperation({
  operationId: 'generateJourneys',
  surface: 'api',
  method: 'POST',
  path: `${path}/generate`,
  tag,
  summary: 'Draft journeys of a persona from the tools of servers',
  description: 'The drafts are not stored.',
  access: 'member',
  feature: 'swarms',
  body: JourneyGenerateRequest,
  outbound: true,
  status: 200,
  output: GenerationDrafts,
  refusals: [
    'CONFLICT',
    'FEATURE_NOT_SUPPORTED',
    'OAUTH_REQUIRED',
    'SERVER_UNREACHABLE',
    'TIMEOUT',
  ],
});

export const getJourney = defineOperation({
  operationId: 'getJourney',
  surface: 'api',
  method: 'GET',
  path: `${path}/{journeyId}`,
  tag,
  summary: 'Read a journey',
  description: '404 for an archived journey.',
  access: 'member',
  status: 200,
  output: shapes.Journey,
});

export const updateJourney = defineOperation({
  operationId: 'updateJourney',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{journeyId}`,
  tag,
  summary: 'Edit a journey',
  description: 'The persona and the swarm cannot be changed. 409 if an environment is archived.',
  access: 'member',
  feature: 'swarms',
  body: shapes.JourneyUpdateRequest,
  status: 200,
  output: shapes.Journey,
  refusals: ['CONFLICT'],
});

export const archiveJourney = defineOperation({
  operationId: 'archiveJourney',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{journeyId}`,
  tag,
  summary: 'Archive a journey',
  description:
    'Its runs stay readable, and a run in progress continues. Works even if swarms are switched off.',
  access: 'member',
  status: 200,
  output: shapes.JourneyArchived,
});
