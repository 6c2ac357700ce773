import { notFound } from '@proofmark/domain';
import * as apiKeys from '../../../platform/accounts/store/api-keys.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { presentApiKey } from './present-api-key.ts';

export const revokeApiKey: Action<'revokeApiKey'> = async ({ caller, database }, { params }) => {
  const owner = { accountId: caller.account.id };
  const found = await apiKeys.findApiKey(database.sql, owner, params.keyId);
  const { id, organizationId } = found ?? refuse(notFound);
  // The audit line belongs to the key's organization, even if the key's holder has left it. A key
  // without an organization gets no line.
  const organizationIds = organizationId === null ? [] : [organizationId];
  return database.tenant(organizationIds, async (sql) => {
    const revoked = (await apiKeys.markApiKeyRevoked(sql, owner, id)) ?? refuse(notFound);
    if (revoked.first && organizationId !== null) {
      const where = { caller, project: { organizationId, id: null } };
      await recordAudit(sql, where, { action: 'apiKey.revoked', subjectId: id });
    }
    return presentApiKey(revoked.apiKey);
  });
};
