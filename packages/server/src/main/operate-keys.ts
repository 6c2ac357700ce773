import { type KeyScope, keyScopes, longestKeyDays } from '@proofmark/domain';
import {
  insertApiKey,
  markApiKeyRevoked,
  readApiKeys,
  type StoredApiKey,
} from '../platform/accounts/store/api-keys.ts';
import { type AuditActor, insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import type { Database, Sql } from '../platform/database/database.ts';
import { checkedName, operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

export function keyOperations(owner: Database, actor: AuditActor) {
  const { accountOf, organizationOf } = operatorSearch(owner);
  return {
    async createKey(
      email: string,
      organization: string,
      name: string,
      terms: { readonly scope?: string; readonly expiresInDays?: number | undefined } = {},
    ): Promise<{ apiKey: StoredApiKey; key: string }> {
      const scope = checkedScope(terms.scope ?? 'full');
      const expiresInDays = checkedDays(terms.expiresInDays);
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      return owner.transaction(async (sql) => {
        const made = await insertApiKey(
          { sql, vault: owner.vault },
          { accountId, organizationId },
          { name: checkedName(name), scope, expiresInDays },
        );
        if (made === undefined) {
          throw new BadSetting(`${email} is not a member of ${organization}.`);
        }
        await recordKeyMade(sql, actor, organizationId, made.apiKey, email);
        return made;
      });
    },

    async listKeys(organization: string): Promise<readonly StoredApiKey[]> {
      const organizationId = await organizationOf(organization);
      return (await readApiKeys(owner, { organizationId }, { limit: 10_000 })).items;
    },

    async revokeKey(keyId: string): Promise<StoredApiKey> {
      return owner.transaction(async (sql) => {
        const revoked = await markApiKeyRevoked(sql, 'operator', keyId);
        if (revoked === undefined) throw new BadSetting(`There is no API key ${keyId}.`);
        const { organizationId } = revoked.apiKey;
        if (revoked.first) {
          const line = { organizationId, projectId: null, subjectId: keyId, details: null };
          await insertAuditLine(sql, { ...actor, ...line, action: 'apiKey.revoked' });
        }
        return revoked.apiKey;
      });
    },
  };
}

export async function recordKeyMade(
  sql: Sql,
  actor: AuditActor,
  organizationId: string,
  { id, scope }: StoredApiKey,
  email: string,
): Promise<void> {
  const line = { organizationId, projectId: null, subjectId: id, details: { email, scope } };
  await insertAuditLine(sql, { ...actor, ...line, action: 'apiKey.created' });
}

function checkedScope(scope: string): KeyScope {
  if (keyScopes.includes(scope as KeyScope)) return scope as KeyScope;
  throw new BadSetting(`There is no scope ${scope}; the scopes are ${keyScopes.join(', ')}.`);
}

function checkedDays(days: number | undefined): number | null {
  if (days === undefined) return null;
  if (Number.isInteger(days) && days >= 1 && days <= longestKeyDays) return days;
  throw new BadSetting(`A key must expire in 1 to ${longestKeyDays} whole days, or never.`);
}
