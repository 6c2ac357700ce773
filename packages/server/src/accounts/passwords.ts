/**
 * Passwords. A wrong address costs the same work as a wrong password, and both get one answer.
 * Trying is limited per address of e-mail, on the database's clock, for all processes together.
 */
import { hash, verify } from '@node-rs/argon2';
import { normalizeEmail, passwordProblem, signInRateLimit } from '@proofmark/domain';
import { findAccountSecrets, savePassword } from '../storage/accounts.ts';
import type { Database } from '../storage/database.ts';
import { takeToken } from '../storage/rate-limits.ts';
import { hashToken } from './token.ts';

export type PasswordSignIn =
  | { readonly accountId: string }
  | { readonly refused: 'wrong' }
  | { readonly refused: 'tooManyTries'; readonly retryAfterSeconds: number };

export async function checkPassword(
  database: Database,
  email: string,
  password: string,
): Promise<PasswordSignIn> {
  const bucket = `sign-in:${hashToken(normalizeEmail(email)).toString('hex')}`;
  const { allowed, retryAfterSeconds } = await takeToken(database, bucket, signInRateLimit);
  if (!allowed) return { refused: 'tooManyTries', retryAfterSeconds };
  const account = await findAccountSecrets(database, { email });
  const matches = await verify(account?.passwordHash ?? hashOfNobody, password);
  if (!matches || account?.passwordHash == null) return { refused: 'wrong' };
  return { accountId: account.id };
}

export type PasswordChange =
  | { readonly changed: true }
  | { readonly problem: string; readonly path: string };

/** Every other session and every open link of the account ends with the change. */
export async function changePassword(
  database: Database,
  accountId: string,
  change: { currentPassword: string | undefined; newPassword: string },
  keepSession: Buffer,
): Promise<PasswordChange> {
  const account = await findAccountSecrets(database, { id: accountId });
  const current = account?.passwordHash ?? undefined;
  if (current !== undefined && !(await verify(current, change.currentPassword ?? ''))) {
    return { path: 'body.currentPassword', problem: 'The current password is not right.' };
  }
  const problem = passwordProblem(change.newPassword, account?.email ?? '');
  if (problem !== undefined) return { path: 'body.newPassword', problem };
  await savePassword(database, accountId, await hash(change.newPassword), keepSession);
  return { changed: true };
}

/** An argon2id hash with the same parameters that no password matches. */
const hashOfNobody =
  '$argon2id$v=19$m=19456,t=2,p=1$cHJvb2ZtYXJrLW5vYm9keQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
