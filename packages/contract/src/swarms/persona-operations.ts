import { defineOperation } from '../operation.ts';
import { GenerationDrafts, PersonaGenerateRequest } from './draft-shapes.ts';
import * as shapes from './persona-shapes.ts';

const tag = 'Swarms';
const path = '/projects/{projectId}/personas';

export const listPersonas = defineOperation({
  operationId: 'listPersonas',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the personas of a project',
  description: 'Newest first, without archived ones. Empty while swarms are switched off.',
  access: 'member',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.PersonaPage,
});

export const createPersona = defineOperation({
  operationId: 'createPersona',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a persona',
  description:
    'Its slug is derived from its name and never changes. 403 if the project has reached its limit of personas.',
  access: 'member',
  feature: 'swarms',
  body: shapes.PersonaCreateRequest,
  idempotent: true,
  status: 201,
  output: shapes.Persona,
});

export const generatePersonas = defineOperation({
  operationId: 'generatePersonas',
  surface: 'api',
  method: 'POST',
  path: `${path}/generate`,
  tag,
  summary: 'Draft personas with journeys from the tools of servers',
  description:
    'The drafts are not stored. With personaCount they are returned in personas, without it in persona and journeys.',
  access: 'member',
  feature: 'swarms',
  body: PersonaGenerateRequest,
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

export const getPersona = defineOperation({
  operationId: 'getPersona',
  surface: 'api',
  method: 'GET',
  path: `${path}/{personaId}`,
  tag,
  summary: 'Read a persona',
  description: '404 for an archived persona.',
  access: 'member',
  status: 200,
  output: shapes.Persona,
});

export const updatePersona = defineOperation({
  operationId: 'updatePersona',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{personaId}`,
  tag,
  summary: 'Edit a persona',
  description: 'Its slug does not change.',
  access: 'member',
  feature: 'swarms',
  body: shapes.PersonaUpdateRequest,
  status: 200,
  output: shapes.Persona,
});

export const deletePersona = defineOperation({
  operationId: 'deletePersona',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{personaId}`,
  tag,
  summary: 'Archive a persona',
  description:
    '409 while a journey that is not archived uses it. Works even if swarms are switched off.',
  access: 'member',
  status: 200,
  output: shapes.PersonaDeleted,
  refusals: ['CONFLICT'],
});
