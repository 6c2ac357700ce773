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
    'The providers of the organization and of the operator, by name. Keys and the addresses of the operator are never returned.',
  status: 200,
  output: shapes.ModelProviderList,
});

export const setModelProvider = defineOperation({
  ...common,
  operationId: 'setModelProvider',
  method: 'PUT',
  path: `${path}/{providerName}`,
  summary: 'Create or change a model provider',
  description:
    'Runs that are launched from now on use it; other runs keep their provider. A name that the operator uses is not available.',
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
  description: 'Runs in progress keep it until they end; its models can no longer be launched.',
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
    'Asks a model once, for a few tokens and at most 20 seconds, and returns the same error as a trial would. The call has its normal cost.',
  outbound: true,
  body: shapes.ModelProviderTestRequest,
  status: 200,
  output: shapes.ModelProviderTest,
});
