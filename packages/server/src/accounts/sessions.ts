import { sessionLifetimeMs, signInLinkLifetimeMs } from '@proofmark/domain';
import { insertSession, insertSignInLink, redeemSignInLink } from '../storage/accounts/accounts.ts';
import type { Database } from '../storage/database/database.ts';
import { hashToken, newToken } from './token.ts';

export async function startSession(
  database: Database,
  accountId: string,
  address: string | null,
): Promise<{ token: string; hash: Buffer }> {
  const session = newToken();
  await insertSession(database, {
    tokenHash: session.hash,
    accountId,
    address,
    lifetimeMs: sessionLifetimeMs,
  });
  return session;
}

export async function createSignInLink(
  database: Database,
  accountId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const { token, hash } = newToken();
  const lifetimeMs = signInLinkLifetimeMs;
  return {
    token,
    expiresAt: await insertSignInLink(database, { tokenHash: hash, accountId, lifetimeMs }),
  };
}

export async function redeemLink(
  database: Database,
  token: string,
): Promise<{ accountId: string } | undefined> {
  return redeemSignInLink(database, hashToken(token));
}

/** The token is in the fragment, which browsers do not send, so no log or proxy sees it. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/sign-in#token=${token}`;
}
