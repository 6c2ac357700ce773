import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'API keys';

export const listApiKeys = defineOperation({
  operationId: 'listApiKeys',
  surface: 'console',
  method: 'GET',
  path: '/api-keys',
  tag,
  summary: 'List my API keys',
  description: 'Newest first, revoked ones included. The key values are not stored.',
  access: 'account',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ApiKeyPage,
});

export const createApiKey = defineOperation({
  operationId: 'createApiKey',
  surface: 'console',
  method: 'POST',
  path: '/api-keys',
  tag,
  summary: 'Create an API key',
  description:
    'Bound to one organization, acting as its maker as far as its scope goes, until it expires. The value is returned this once.',
  access: 'account',
  body: shapes.ApiKeyCreateRequest,
  status: 201,
  output: shapes.ApiKeyCreated,
  refusals: ['NOT_FOUND'],
});

export const revokeApiKey = defineOperation({
  operationId: 'revokeApiKey',
  surface: 'console',
  method: 'DELETE',
  path: '/api-keys/{keyId}',
  tag,
  summary: 'Revoke an API key',
  description: 'Effective at once on every process. Revoking again reports the first time.',
  access: 'account',
  status: 200,
  output: shapes.ApiKey,
});
