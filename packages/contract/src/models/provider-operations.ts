/**
 * Model providers of an organization. Only signed-in owners can use these operations, never API
 * keys.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './provider-shapes.ts';

const path = '/organizations/{organizationId}/model-providers';
const common = { surface: 'console', tag: 'Model providers', access: 'account' } as const;

export const listModelProviders = defineOperation({
  ...common,
  operationId: 'listModelProviders',
  method: 'GET',
  path,
  summary: 'List the model providers of an organization',
  description:
    'Its own and those of the operator, by name. Keys are never answered, nor the addresses of the operator.',
  status: 200,
  output: shapes.ModelProviderList,
});

export const setModelProvider = defineOperation({
  ...common,
  operationId: 'setModelProvider',
  method: 'PUT',
  path: `${path}/{providerName}`,
  summary: 'Make or change a model provider',
  description:
    'Runs that are launched from now on use it; others keep what they were launched with. A name that the operator uses cannot be taken.',
  body: shapes.ModelProviderRequest,
  status: 200,
  output: shapes.ModelProviderEntry,
  refusals: ['CONFLICT'],
});

export const deleteModelProvider = defineOperation({
  ...common,
  operationId: 'deleteModelProvider',
  method: 'DELETE',
  path: `${path}/{providerName}`,
  summary: 'Delete a model provider',
  description: 'Runs under way end with it; its models cannot be launched any more.',
  status: 200,
  output: shapes.ModelProviderDeleted,
});

export const testModelProvider = defineOperation({
  ...common,
  operationId: 'testModelProvider',
  method: 'POST',
  path: `${path}/{providerName}/test`,
  summary: 'Test a model provider with one call',
  description:
    'Asks a model for a few tokens, once, for at most 20 seconds, and says what went wrong in the words of a trial. It costs what such a call costs.',
  outbound: true,
  body: shapes.ModelProviderTestRequest,
  status: 200,
  output: shapes.ModelProviderTest,
});
