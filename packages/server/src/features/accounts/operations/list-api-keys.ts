import * as apiKeys from '../../../platform/accounts/store/api-keys.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { presentApiKey } from './present-api-key.ts';

export const listApiKeys: Action<'listApiKeys'> = async ({ caller, database }, { page }) =>
  presentPage(
    await apiKeys.readApiKeys(database, { accountId: caller.account.id }, page),
    presentApiKey,
  );
