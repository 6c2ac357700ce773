import { notFound } from '@proofmark/domain';
import * as apiKeys from '../../storage/api-keys.ts';
import { type Action, refuse } from '../action.ts';
import { presentApiKey } from './present-api-key.ts';

export const createApiKey: Action<'createApiKey'> = async ({ caller, database }, { body }) => {
  if (!caller.organizationIds.includes(body.organizationId)) refuse(notFound);
  const owner = { accountId: caller.account.id, organizationId: body.organizationId };
  const { apiKey, key } = await apiKeys.createApiKey(database, owner, body.name);
  return { ...presentApiKey(apiKey), key };
};
