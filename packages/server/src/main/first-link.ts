/**
 * Creates the sign-in link for the oldest owner that is printed at a start, unless somebody can
 * sign in by other means.
 */
import { createSignInLink, signInUrl } from '../platform/accounts/sessions.ts';
import { findOwnerWithoutPassword } from '../platform/accounts/store/accounts.ts';
import { proveAddress } from '../platform/accounts/store/unproven.ts';
import type { Database } from '../platform/database/database.ts';

export interface FirstLink {
  readonly url: string;
  readonly email: string;
  readonly expiresAt: Date;
}

const atStart = { accountId: null, accountEmail: 'start', callerKind: 'service' } as const;

/**
 * Returns undefined if no link is needed. Printing the link reveals nothing: a reader of the
 * service's output is its operator and could create the link anyway.
 */
export async function makeFirstLink(
  database: Database,
  url: string,
): Promise<FirstLink | undefined> {
  const owner = await findOwnerWithoutPassword(database);
  if (owner === undefined) return undefined;
  const link = await database.transaction(async (sql) => {
    await proveAddress(sql, owner.id, atStart);
    return createSignInLink(sql, owner.id, atStart);
  });
  return link && { url: signInUrl(url, link.token), email: owner.email, expiresAt: link.expiresAt };
}
