/**
 * Password checks. An unknown address costs as much work as a wrong password and gets the same
 * answer, so an answer does not reveal which addresses have an account. Attempts are limited by the
 * database's clock, for all processes together. Since checking is expensive by design, a process
 * runs only a few checks at a time and answers further ones with "try again later".
 */
import { hash, verify } from '@node-rs/argon2';
import {
  normalizeEmail,
  passwordProblem,
  type RateLimit,
  signInRateLimits,
} from '@proofmark/domain';
import type { Database } from '../database/database.ts';
import { HashQueue } from './hash-queue.ts';
import { type AccountSecrets, findAccountSecrets, savePassword } from './store/accounts.ts';
import { insertAccountLine } from './store/audit-log.ts';
import { takeToken } from './store/rate-limits.ts';
import { hashToken } from './token.ts';

export interface TooManyTries {
  readonly refused: 'tooManyTries';
  readonly retryAfterSeconds: number;
}

export type PasswordSignIn =
  | { readonly accountId: string }
  | { readonly refused: 'wrong' | 'disabled' }
  | TooManyTries;

export interface Visitor {
  readonly address: string;
  /**
   * True if the address may be that of a proxy. Many people then share it, and one of them must not
   * use up the limit of the others.
   */
  readonly isShared: boolean;
}

export async function checkPassword(
  database: Database,
  email: string,
  password: string,
  visitor: Visitor,
): Promise<PasswordSignIn> {
  const account = normalizeEmail(email);
  const { address, isShared } = visitor;
  const limited =
    (isShared
      ? undefined
      : await refuseOver(database, ['visitor', address], signInRateLimits.visitor)) ??
    (await refuseOver(database, ['both', address, account], signInRateLimits.visitorAtAccount)) ??
    (await refuseOver(database, ['account', account], signInRateLimits.account));
  if (limited !== undefined) return limited;
  const found = await findAccountSecrets(database, { email });
  const matches = await hashing.run(isShared ? undefined : address, () =>
    verify(found?.passwordHash ?? hashOfNobody, password),
  );
  if (matches === 'crowded') return crowded;
  if (!matches || found?.passwordHash == null) {
    if (found !== undefined) void recordFailure(database, found, address);
    return { refused: 'wrong' };
  }
  // Only a caller with the correct password learns that the account is disabled.
  return found.isDisabled ? { refused: 'disabled' } : { accountId: found.id };
}

/**
 * Records a failed sign-in. The answer does not wait for it, since the time of an answer must not
 * reveal which addresses have an account.
 */
async function recordFailure(
  database: Database,
  { id, email }: AccountSecrets,
  address: string,
): Promise<void> {
  const actor = { accountId: id, accountEmail: email, callerKind: 'visitor' } as const;
  const details = { method: 'password', address } as const;
  try {
    await insertAccountLine(database.sql, id, actor, 'account.signInFailed', details);
  } catch {
    // A failed write is ignored; if the database is unreachable, the heartbeat reports it.
  }
}

export type PasswordChange =
  | { readonly changed: true }
  | { readonly problem: string; readonly path: string }
  | TooManyTries;

/**
 * Changes the password, which also ends every other session and every unused sign-in link of the
 * account.
 */
export async function changePassword(
  database: Database,
  accountId: string,
  change: { currentPassword: string | undefined; newPassword: string },
  keepSession: Buffer,
): Promise<PasswordChange> {
  const limited = await refuseOver(
    database,
    ['change', accountId],
    signInRateLimits.visitorAtAccount,
  );
  if (limited !== undefined) return limited;
  const account = await findAccountSecrets(database, { id: accountId });
  const current = account?.passwordHash ?? undefined;
  const matches =
    current === undefined ||
    (await hashing.run(accountId, () => verify(current, change.currentPassword ?? '')));
  if (matches === 'crowded') return crowded;
  if (!matches) {
    return { path: 'body.currentPassword', problem: 'The current password is wrong.' };
  }
  const problem = passwordProblem(change.newPassword, account?.email ?? '');
  if (problem !== undefined) return { path: 'body.newPassword', problem };
  const passwordHash = await hashing.run(accountId, () => hash(change.newPassword));
  if (passwordHash === 'crowded') return crowded;
  const actor = { accountId, accountEmail: account?.email ?? '', callerKind: 'session' } as const;
  await savePassword(database, accountId, passwordHash, keepSession, actor);
  return { changed: true };
}

async function refuseOver(
  database: Database,
  parts: readonly string[],
  limit: RateLimit,
): Promise<TooManyTries | undefined> {
  const bucket = `sign-in:${hashToken(parts.join('\0')).toString('hex')}`;
  const { allowed, retryAfterSeconds } = await takeToken(database, bucket, limit);
  return allowed ? undefined : { refused: 'tooManyTries', retryAfterSeconds };
}

const crowded: TooManyTries = { refused: 'tooManyTries', retryAfterSeconds: 1 };
const hashing = new HashQueue();

/**
 * An argon2id hash that matches no password. It has the parameters of real hashes, so a check
 * against it takes as long.
 */
const hashOfNobody =
  '$argon2id$v=19$m=19456,t=2,p=1$cHJvb2ZtYXJrLW5vYm9keQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
