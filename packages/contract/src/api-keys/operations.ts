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
  description: 'Newest first, including revoked keys. The values of the keys are not stored.',
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
    'The key belongs to one organization and has the rights of its creator, limited by its scope, until it expires. Its value is returned only in this answer.',
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
  description:
    'Takes effect at once. If the key was already revoked, the answer has the time of the first revocation.',
  access: 'account',
  status: 200,
  output: shapes.ApiKey,
});
