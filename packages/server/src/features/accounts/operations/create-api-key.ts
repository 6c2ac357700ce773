import { notFound } from '@proofmark/domain';
import * as apiKeys from '../../../platform/accounts/store/api-keys.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { presentApiKey } from './present-api-key.ts';

export const createApiKey: Action<'createApiKey'> = async (context, { body }) => {
  const { caller, database } = context;
  const { organizationId } = body;
  if (!caller.organizationIds.includes(organizationId)) refuse(notFound);
  const owner = { accountId: caller.account.id, organizationId };
  return context.tenant(async (sql) => {
    const { vault } = database;
    const { name, scope, expiresInDays } = body;
    const terms = { name, scope, expiresInDays };
    const made = await apiKeys.insertApiKey({ sql, vault }, owner, terms);
    const { apiKey, key } = made ?? refuse(notFound);
    const where = { caller, project: { organizationId, id: null } };
    const details = { scope };
    await recordAudit(sql, where, { action: 'apiKey.created', subjectId: apiKey.id, details });
    return { ...presentApiKey(apiKey), key };
  });
};
