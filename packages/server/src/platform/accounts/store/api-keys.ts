/**
 * API keys. A key is shown only once, and only its keyed hash is stored for finding it. Revoking a
 * key is final.
 */
import { randomBytes } from 'node:crypto';
import { cutPage, type KeyScope, makeId, type Page, type PageRequest } from '@proofmark/domain';
import type { Database, Fragment, Sql } from '../../database/database.ts';

export interface StoredApiKey {
  readonly id: string;
  readonly name: string;
  readonly start: string;
  readonly organizationId: string | null;
  readonly scope: KeyScope;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly ownerEmail: string;
}

export interface KeyTerms {
  readonly name: string;
  readonly scope: KeyScope;
  /** The number of days until the key expires, by the database's clock; null for never. */
  readonly expiresInDays: number | null;
}

/**
 * Stores a key; returns undefined if the owner does not belong to the organization. Removing a
 * member locks the same membership row and revokes keys. So a removed member never keeps a key that
 * would work again after a return.
 */
export async function insertApiKey(
  { sql, vault }: Pick<Database, 'sql' | 'vault'>,
  owner: { readonly accountId: string; readonly organizationId: string },
  { name, scope, expiresInDays }: KeyTerms,
): Promise<{ apiKey: StoredApiKey; key: string } | undefined> {
  const issued = vault.apiKeys.issue();
  const id = makeId('apiKey', Date.now(), randomBytes(10));
  const [apiKey] = await sql<StoredApiKey[]>`
    insert into api_keys (id, hash, start, name, account_id, organization_id, scope, expires_at)
    select ${id}, ${issued.hash}, ${issued.start}, ${name}, account_id, organization_id, ${scope},
      now() + ${expiresInDays}::integer * interval '1 day'
    from memberships
    where account_id = ${owner.accountId} and organization_id = ${owner.organizationId} for key share
    returning ${shown(sql)}`;
  return apiKey && { apiKey, key: issued.key };
}

export async function readApiKeys(
  database: Database,
  owner: { readonly accountId: string } | { readonly organizationId: string },
  page: PageRequest,
): Promise<Page<StoredApiKey>> {
  const { sql } = database;
  const rows = await sql<StoredApiKey[]>`
    select ${shown(sql)} from api_keys
    where ${'accountId' in owner ? sql`account_id = ${owner.accountId}` : sql`organization_id = ${owner.organizationId}`}
      ${page.after ? sql`and (created_at, id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at desc, id desc limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

/** The account that owns the key. The operator may act on the key of any account. */
type KeyHolder = { readonly accountId: string } | 'operator';

/** Revokes a key. A second call does not change the stored time and returns `first: false`. */
export async function markApiKeyRevoked(
  sql: Sql,
  by: KeyHolder,
  keyId: string,
): Promise<{ apiKey: StoredApiKey; first: boolean } | undefined> {
  const [revoked] = await sql<StoredApiKey[]>`
    update api_keys set revoked_at = now()
    where id = ${keyId} and revoked_at is null ${heldBy(sql, by)}
    returning ${shown(sql)}`;
  const apiKey = revoked ?? (await findApiKey(sql, by, keyId));
  return apiKey && { apiKey, first: revoked !== undefined };
}

export async function findApiKey(
  sql: Sql,
  by: KeyHolder,
  keyId: string,
): Promise<StoredApiKey | undefined> {
  const [row] = await sql<StoredApiKey[]>`
    select ${shown(sql)} from api_keys
    where id = ${keyId} ${heldBy(sql, by)}`;
  return row;
}

function shown(sql: Sql): Fragment {
  return sql`id, name, start, organization_id, scope, created_at, expires_at,
    coalesce(expires_at <= now(), false) as is_expired, last_used_at, revoked_at,
    (select email from accounts where accounts.id = account_id) as owner_email`;
}

function heldBy(sql: Sql, by: KeyHolder): Fragment {
  return by === 'operator' ? sql`` : sql`and account_id = ${by.accountId}`;
}
