import { type AuditDetails, sessionLifetimeMs, signInLinkLifetimeMs } from '@proofmark/domain';
import type { Database, Sql } from '../database/database.ts';
import { insertSession, insertSignInLink, redeemSignInLink } from './store/accounts.ts';
import { type AuditActor, insertAccountLine } from './store/audit-log.ts';
import { hashToken, newToken } from './token.ts';

export interface StartedSession {
  readonly token: string;
  readonly hash: Buffer;
}

export interface SignInWay {
  readonly method: NonNullable<AuditDetails['method']>;
  readonly address: string | null;
}

/** Starts a session. Returns undefined if the account is disabled. */
export function startSession(
  database: Database,
  accountId: string,
  way: SignInWay,
): Promise<StartedSession | undefined> {
  return database.transaction((sql) => startSessionIn(sql, accountId, way));
}

export async function startSessionIn(
  sql: Sql,
  accountId: string,
  { method, address }: SignInWay,
): Promise<StartedSession | undefined> {
  const session = newToken();
  const lifetimeMs = sessionLifetimeMs;
  const inserted = { tokenHash: session.hash, accountId, address, lifetimeMs };
  const account = await insertSession(sql, inserted);
  if (account === undefined) return undefined;
  const actor = { accountId, accountEmail: account.email, callerKind: 'session' } as const;
  const details = { method, ...(address !== null && { address }) };
  await insertAccountLine(sql, accountId, actor, 'account.signedIn', details);
  return session;
}

export interface SignInLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a sign-in link. Returns undefined if the account is disabled. */
export async function createSignInLink(
  sql: Sql,
  accountId: string,
  actor: AuditActor,
  lifetimeMs: number = signInLinkLifetimeMs,
): Promise<SignInLink | undefined> {
  const { token, hash } = newToken();
  const expiresAt = await insertSignInLink(sql, { tokenHash: hash, accountId, lifetimeMs });
  if (expiresAt === undefined) return undefined;
  await insertAccountLine(sql, accountId, actor, 'account.linkCreated');
  return { token, expiresAt };
}

export async function redeemLink(
  database: Database,
  token: string,
): Promise<{ accountId: string } | undefined> {
  return redeemSignInLink(database, hashToken(token));
}

/**
 * Returns the link. The token is in the fragment, which browsers do not send, so no log and no
 * proxy can record it.
 */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/sign-in#token=${token}`;
}

export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/invitation#token=${token}`;
}
