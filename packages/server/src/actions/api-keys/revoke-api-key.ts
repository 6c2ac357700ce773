import { notFound } from '@proofmark/domain';
import * as apiKeys from '../../storage/api-keys.ts';
import { type Action, refuse } from '../action.ts';
import { presentApiKey } from './present-api-key.ts';

export const revokeApiKey: Action<'revokeApiKey'> = async ({ caller, database }, { params }) => {
  const owner = { accountId: caller.account.id };
  const revoked = await apiKeys.revokeApiKey(database, owner, params.keyId);
  return presentApiKey(revoked ?? refuse(notFound));
};
