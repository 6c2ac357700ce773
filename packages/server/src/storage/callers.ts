/**
 * Who is calling: one statement finds the key or the session, the account, what it belongs to, and
 * takes a token from the caller's bucket. A key that is revoked is not found, on any process, from
 * the moment the revocation is written.
 */
import type { OrganizationRole, RateLimit } from '@proofmark/domain';
import type { Database, Fragment, Sql } from './database.ts';
import { type BucketRow, takeFrom, taken } from './rate-limits.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Caller {
  readonly account: Account;
  readonly kind: 'key' | 'session';
  /** The organizations this caller may reach: a key has one, a session all of its account. */
  readonly organizationIds: readonly string[];
}

export type CallerFound =
  | { readonly caller: Caller; readonly retryAfterSeconds?: number }
  | { readonly orphaned: true }
  | undefined;

interface AccountColumns {
  readonly accountId: string;
  readonly email: string;
  readonly accountName: string;
  readonly hasPassword: boolean;
  readonly accountCreatedAt: Date;
  readonly accountUpdatedAt: Date;
}

type KeyRow = AccountColumns & { organizationId: string | null; role: OrganizationRole | null };
type SessionRow = AccountColumns & { organizationIds: string[] };

export async function findCallerByKey(
  database: Database,
  presentedKey: string,
  limit: RateLimit | 'off',
): Promise<CallerFound> {
  const hash = database.vault.apiKeys.hashOf(presentedKey);
  if (hash === undefined) return undefined;
  const { callers: sql } = database;
  const caller = sql`
    select api_keys.id as key_id, api_keys.organization_id, memberships.role, ${accountColumns(sql)}
    from api_keys
    join accounts on accounts.id = api_keys.account_id
    left join memberships on memberships.organization_id = api_keys.organization_id
      and memberships.account_id = api_keys.account_id
    where api_keys.hash = ${hash} and api_keys.revoked_at is null`;
  const bucket = sql`select 'key:' || key_id from caller where role is not null`;
  const row = await readWithBucket<KeyRow>(database, caller, bucket, limit);
  if (row === undefined) return undefined;
  if (row.organizationId === null || row.role === null) return { orphaned: true };
  return found(row, 'key', [row.organizationId]);
}

export async function findCallerBySession(
  database: Database,
  tokenHash: Buffer,
  limit: RateLimit,
): Promise<CallerFound> {
  const { callers: sql } = database;
  const caller = sql`
    select encode(sessions.token_hash, 'hex') as session_id, ${accountColumns(sql)},
      array(select organization_id from memberships where account_id = accounts.id) as organization_ids
    from sessions
    join accounts on accounts.id = sessions.account_id
    where sessions.token_hash = ${tokenHash} and sessions.expires_at > now()`;
  const bucket = sql`select 'session:' || session_id from caller`;
  const row = await readWithBucket<SessionRow>(database, caller, bucket, limit);
  return row && found(row, 'session', row.organizationIds);
}

async function readWithBucket<Row extends object>(
  { callers: sql }: Database,
  caller: Fragment,
  bucket: Fragment,
  limit: RateLimit | 'off',
): Promise<(Row & Partial<BucketRow>) | undefined> {
  const statement =
    limit === 'off'
      ? caller
      : sql`
          with caller as (${caller}), bucket as (${takeFrom(sql, bucket, limit)})
          select caller.*, bucket.allowed, bucket.wait_ms from caller left join bucket on true`;
  const [row] = await statement;
  return row as (Row & Partial<BucketRow>) | undefined;
}

function accountColumns(sql: Sql): Fragment {
  return sql`accounts.id as account_id, accounts.email, accounts.name as account_name,
    accounts.password_hash is not null as has_password,
    accounts.created_at as account_created_at, accounts.updated_at as account_updated_at`;
}

function found(
  row: AccountColumns & Partial<BucketRow>,
  kind: Caller['kind'],
  organizationIds: readonly string[],
): CallerFound {
  const caller: Caller = {
    kind,
    organizationIds,
    account: {
      id: row.accountId,
      email: row.email,
      name: row.accountName,
      hasPassword: row.hasPassword,
      createdAt: row.accountCreatedAt,
      updatedAt: row.accountUpdatedAt,
    },
  };
  if (row.allowed !== false) return { caller };
  return { caller, retryAfterSeconds: taken(row as BucketRow).retryAfterSeconds };
}
