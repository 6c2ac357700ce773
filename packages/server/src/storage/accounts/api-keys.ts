/** API keys: made once, found only by their keyed hash, revoked for good. */
import { randomBytes } from 'node:crypto';
import { cutPage, makeId, type Page, type PageRequest } from '@proofmark/domain';
import type { Database, Fragment, Sql } from '../database/database.ts';

export interface StoredApiKey {
  readonly id: string;
  readonly name: string;
  readonly start: string;
  readonly organizationId: string | null;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export async function insertApiKey(
  { sql, vault }: Pick<Database, 'sql' | 'vault'>,
  owner: { readonly accountId: string; readonly organizationId: string },
  name: string,
): Promise<{ apiKey: StoredApiKey; key: string }> {
  const issued = vault.apiKeys.issue();
  const id = makeId('apiKey', Date.now(), randomBytes(10));
  const [apiKey] = await sql<StoredApiKey[]>`
    insert into api_keys (id, hash, start, name, account_id, organization_id)
    values (${id}, ${issued.hash}, ${issued.start}, ${name}, ${owner.accountId}, ${owner.organizationId})
    returning id, name, start, organization_id, created_at, revoked_at`;
  return { apiKey: apiKey as StoredApiKey, key: issued.key };
}

export async function readApiKeys(
  database: Database,
  owner: { readonly accountId: string } | { readonly organizationId: string },
  page: PageRequest,
): Promise<Page<StoredApiKey>> {
  const { sql } = database;
  const rows = await sql<StoredApiKey[]>`
    select id, name, start, organization_id, created_at, revoked_at from api_keys
    where ${'accountId' in owner ? sql`account_id = ${owner.accountId}` : sql`organization_id = ${owner.organizationId}`}
      ${page.after ? sql`and (created_at, id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at desc, id desc limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

/** The operator may act on anybody's key. */
type KeyHolder = { readonly accountId: string } | 'operator';

/** Revoking again keeps the first instant, and says that this was not the first time. */
export async function markApiKeyRevoked(
  sql: Sql,
  by: KeyHolder,
  keyId: string,
): Promise<{ apiKey: StoredApiKey; first: boolean } | undefined> {
  const [revoked] = await sql<StoredApiKey[]>`
    update api_keys set revoked_at = now()
    where id = ${keyId} and revoked_at is null ${heldBy(sql, by)}
    returning id, name, start, organization_id, created_at, revoked_at`;
  const apiKey = revoked ?? (await findApiKey(sql, by, keyId));
  return apiKey && { apiKey, first: revoked !== undefined };
}

export async function findApiKey(
  sql: Sql,
  by: KeyHolder,
  keyId: string,
): Promise<StoredApiKey | undefined> {
  const [row] = await sql<StoredApiKey[]>`
    select id, name, start, organization_id, created_at, revoked_at from api_keys
    where id = ${keyId} ${heldBy(sql, by)}`;
  return row;
}

function heldBy(sql: Sql, by: KeyHolder): Fragment {
  return by === 'operator' ? sql`` : sql`and account_id = ${by.accountId}`;
}
