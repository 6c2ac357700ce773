import { randomBytes } from 'node:crypto';
import { makeId, normalizeEmail } from '@proofmark/domain';
import type { Database, Sql } from '../../database/database.ts';
import { type AuditActor, insertAccountLine } from './audit-log.ts';
import type { Account } from './callers.ts';
import { proveAddress } from './unproven.ts';

export interface AccountSecrets {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly isDisabled: boolean;
}

export async function findAccountSecrets(
  { sql }: Pick<Database, 'sql'>,
  by: { readonly email: string } | { readonly id: string },
): Promise<AccountSecrets | undefined> {
  const [row] = await sql<AccountSecrets[]>`
    select id, email, password_hash, disabled_at is not null as is_disabled from accounts
    where ${'id' in by ? sql`id = ${by.id}` : sql`email = ${normalizeEmail(by.email)}`}`;
  return row;
}

export async function findAccount(database: Database, id: string): Promise<Account | undefined> {
  const [row] = await database.sql<Account[]>`
    select id, email, name, password_hash is not null as has_password, created_at, updated_at
    from accounts where id = ${id}`;
  return row;
}

/** Returns the account with this address, and creates it if it is missing. */
export async function ensureAccount(
  sql: Sql,
  account: { readonly email: string; readonly name?: string; readonly addressProven?: boolean },
): Promise<{ id: string; created: boolean }> {
  const email = normalizeEmail(account.email);
  const id = makeId('account', Date.now(), randomBytes(10));
  const [made] = await sql<{ id: string }[]>`
    insert into accounts (id, email, name, address_proven)
    values (${id}, ${email}, ${account.name ?? email.split('@')[0] ?? email}, ${account.addressProven ?? true})
    on conflict (email) do nothing returning id`;
  if (made !== undefined) return { id, created: true };
  const [found] = await sql<{ id: string }[]>`select id from accounts where email = ${email}`;
  return { id: (found as { id: string }).id, created: false };
}

/**
 * Returns whether any account exists. If two processes start on an empty database, the lock makes
 * the second wait until it finds the account of the first.
 */
export async function lockAccountsAndCheckForAny(sql: Sql): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(727002)`;
  const [anybody] = await sql`select from accounts limit 1`;
  return anybody !== undefined;
}

export async function savePassword(
  database: Database,
  accountId: string,
  passwordHash: string,
  keepSession: Buffer,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`update accounts set password_hash = ${passwordHash}, updated_at = now() where id = ${accountId}`;
    await sql`delete from sessions where account_id = ${accountId} and token_hash <> ${keepSession}`;
    await sql`delete from sign_in_links where account_id = ${accountId}`;
    await insertAccountLine(sql, accountId, actor, 'account.passwordChanged');
  });
}

/**
 * Stores a session and returns its account; undefined if the account is disabled. Disabling locks
 * the same account row and deletes sessions. So a disabled account never keeps a session that would
 * work again once it is enabled.
 */
export async function insertSession(
  sql: Sql,
  session: { tokenHash: Buffer; accountId: string; address: string | null; lifetimeMs: number },
): Promise<{ email: string } | undefined> {
  const [account] = await sql<{ email: string }[]>`
    select email from accounts where id = ${session.accountId} and disabled_at is null for share`;
  if (account === undefined) return undefined;
  await sql`
    insert into sessions (token_hash, account_id, address, expires_at)
    values (${session.tokenHash}, ${session.accountId}, ${session.address},
      now() + ${`${session.lifetimeMs} milliseconds`}::interval)`;
  return account;
}

export async function deleteSession(
  database: Database,
  tokenHash: Buffer,
  actor: AuditActor & { readonly accountId: string },
): Promise<void> {
  await database.transaction(async (sql) => {
    const ended = await sql`delete from sessions where token_hash = ${tokenHash}`;
    if (ended.count > 0) await insertAccountLine(sql, actor.accountId, actor, 'account.signedOut');
  });
}

/** Deletes every session and every sign-in link of an account. API keys are not deleted here. */
export async function endSignIns(sql: Sql, accountId: string): Promise<number> {
  const ended = await sql`delete from sessions where account_id = ${accountId}`;
  await sql`delete from sign_in_links where account_id = ${accountId}`;
  return ended.count;
}

/** Stores a sign-in link and returns when it expires; undefined if the account is disabled. */
export async function insertSignInLink(
  sql: Sql,
  link: { tokenHash: Buffer; accountId: string; lifetimeMs: number },
): Promise<Date | undefined> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into sign_in_links (token_hash, account_id, expires_at)
    select ${link.tokenHash}, id, now() + ${`${link.lifetimeMs} milliseconds`}::interval
    from accounts where id = ${link.accountId} and disabled_at is null for share
    returning expires_at`;
  return row?.expiresAt;
}

/**
 * Redeems a link by deleting it, so that it works only once: of two concurrent requests only one
 * finds the row.
 */
export async function redeemSignInLink(
  database: Database,
  tokenHash: Buffer,
): Promise<{ accountId: string } | undefined> {
  const [row] = await database.sql<{ accountId: string; alive: boolean }[]>`
    delete from sign_in_links where token_hash = ${tokenHash}
    returning account_id, expires_at > now() as alive`;
  return row?.alive ? { accountId: row.accountId } : undefined;
}

/**
 * Returns the account of an external identity. At the first use of the identity, a verified e-mail
 * address binds it to the account with that address. An account that already has an identity of the
 * same issuer is not bound, since a mailbox may pass to another person. The sign-in proves that the
 * person owns the address, so access of others to the account ends.
 */
export async function findOrBindIdentity(
  database: Database,
  identity: { issuer: string; subject: string; verifiedEmail: string | undefined },
): Promise<{ accountId: string } | undefined> {
  const { issuer, subject, verifiedEmail } = identity;
  const known = await findIdentity(database.sql, issuer, subject);
  if (known?.addressProven) return { accountId: known.accountId };
  const email = known?.email ?? verifiedEmail;
  const account = email === undefined ? undefined : await findAccountSecrets(database, { email });
  if (account === undefined) return undefined;
  // The account's keys may belong to several organizations, which get audit lines about them.
  return database.tenant(await organizationsOf(database.sql, account.id), async (sql) => {
    await sql`
      insert into account_identities (issuer, subject, account_id)
      select ${issuer}, ${subject}, id from accounts
      where id = ${account.id} and not exists (
        select from account_identities where account_id = accounts.id and issuer = ${issuer}
      ) on conflict do nothing`;
    const bound = await findIdentity(sql, issuer, subject);
    if (bound === undefined) return undefined;
    const { accountId, email: accountEmail } = bound;
    await proveAddress(sql, accountId, { accountId, accountEmail, callerKind: 'session' });
    return { accountId };
  });
}

async function findIdentity(
  sql: Sql,
  issuer: string,
  subject: string,
): Promise<{ accountId: string; email: string; addressProven: boolean } | undefined> {
  const [row] = await sql<{ accountId: string; email: string; addressProven: boolean }[]>`
    select account_id, email, address_proven from account_identities
    join accounts on accounts.id = account_id where issuer = ${issuer} and subject = ${subject}`;
  return row;
}

async function organizationsOf(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select organization_id from memberships where account_id = ${accountId}
    union select organization_id from api_keys
    where account_id = ${accountId} and organization_id is not null and revoked_at is null`;
  return rows.map(({ organizationId }) => organizationId);
}

/**
 * Returns the oldest owner, who gets the first sign-in link; undefined once any account has a
 * password or an external identity.
 */
export async function findOwnerWithoutPassword(
  database: Database,
): Promise<{ id: string; email: string } | undefined> {
  const [row] = await database.sql<{ id: string; email: string }[]>`
    select accounts.id, accounts.email from accounts
    join memberships on memberships.account_id = accounts.id and memberships.role = 'owner'
    where accounts.disabled_at is null
      and not exists (select from accounts where password_hash is not null)
      and not exists (select from account_identities)
    order by accounts.created_at, accounts.id limit 1`;
  return row;
}

export async function deleteExpiredSignIns(database: Database): Promise<number> {
  return database.transaction(async (sql) => {
    const sessions = await sql`delete from sessions where expires_at < now()`;
    const links = await sql`delete from sign_in_links where expires_at < now()`;
    return sessions.count + links.count;
  }, 'slow');
}
