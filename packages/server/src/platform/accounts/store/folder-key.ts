/**
 * The API key of a service that serves one folder. Each start creates a new key for the oldest
 * owner of the oldest organization. It first deletes the former key by its name, even after a
 * crash, so that revoked keys do not pile up.
 */
import type { Database, Sql } from '../../database/database.ts';
import { insertApiKey, markApiKeyRevoked } from './api-keys.ts';
import { type AuditActor, insertAuditLine } from './audit-log.ts';

export interface FolderKey {
  readonly id: string;
  readonly organizationId: string;
  readonly key: string;
}

const keyName = '.proofmark/service.json';
const byService: AuditActor = { accountId: null, accountEmail: 'start', callerKind: 'service' };

/** `owner` must be connected as the database role that owns the tables. */
export async function removeFolderKeys(owner: Database): Promise<void> {
  await owner.transaction(async (sql) => {
    const removed = await sql<{ id: string; organizationId: string | null; isLive: boolean }[]>`
      delete from api_keys where name = ${keyName}
      returning id, organization_id, revoked_at is null as is_live`;
    for (const { id, organizationId, isLive } of removed) {
      if (isLive && organizationId !== null) await recordRevoked(sql, organizationId, id);
    }
  });
}

/**
 * `owner` must be connected as the database role that owns the tables. Returns undefined if no
 * organization has an owner.
 */
export async function makeFolderKey(owner: Database): Promise<FolderKey | undefined> {
  return owner.transaction(async (sql) => {
    const [holder] = await sql<{ accountId: string; organizationId: string; email: string }[]>`
      select accounts.id as account_id, organizations.id as organization_id, accounts.email
      from organizations
      join memberships on memberships.organization_id = organizations.id and role = 'owner'
      join accounts on accounts.id = memberships.account_id and accounts.disabled_at is null
      order by organizations.created_at, organizations.id, accounts.created_at, accounts.id limit 1`;
    if (holder === undefined) return undefined;
    const terms = { name: keyName, scope: 'full', expiresInDays: null } as const;
    const made = await insertApiKey({ sql, vault: owner.vault }, holder, terms);
    if (made === undefined) return undefined;
    const { organizationId, email } = holder;
    await insertAuditLine(sql, {
      ...byService,
      organizationId,
      projectId: null,
      subjectId: made.apiKey.id,
      action: 'apiKey.created',
      details: { email, scope: terms.scope },
    });
    return { id: made.apiKey.id, organizationId, key: made.key };
  });
}

export async function revokeFolderKey(
  database: Database,
  { id, organizationId }: Pick<FolderKey, 'id' | 'organizationId'>,
): Promise<void> {
  await database.tenant([organizationId], async (sql) => {
    const revoked = await markApiKeyRevoked(sql, 'operator', id);
    if (revoked?.first) await recordRevoked(sql, organizationId, id);
  });
}

async function recordRevoked(sql: Sql, organizationId: string, subjectId: string): Promise<void> {
  const line = { organizationId, projectId: null, subjectId, details: null };
  await insertAuditLine(sql, { ...byService, ...line, action: 'apiKey.revoked' });
}
