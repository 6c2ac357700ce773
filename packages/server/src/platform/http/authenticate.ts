/**
 * Authenticates callers. A program sends a bearer key, which is sufficient. A person has a session
 * cookie, and each write by a person must also prove that one of our pages sent it. Missing,
 * malformed, unknown, revoked and expired keys all get the same answer.
 */
import { effectOf, type Operation } from '@proofmark/contract';
import {
  isAllowedOrigin,
  type KeyScope,
  type RateLimit,
  type Refusal,
  Refused,
  scopeAllows,
  sessionRateLimit,
} from '@proofmark/domain';
import {
  type CallerFound,
  findCallerByKey,
  findCallerBySession,
  type KeyBucket,
  type Wanted,
} from '../accounts/store/callers.ts';
import { hashToken } from '../accounts/token.ts';
import { isDiskFull } from '../database/disk-full.ts';
import type { AuthenticatedCaller } from './authenticated-caller.ts';
import { isTier } from './enter-project.ts';
import type { HttpOptions } from './http-options.ts';
import { isIdLike } from './parse-input.ts';
import type { RequestExchange } from './request-exchange.ts';
import { readSessionCookie } from './session-cookie.ts';

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the questions to a caller in the order in which they are asked, which decides who is let in.
export async function authenticate(
  exchange: RequestExchange,
  options: HttpOptions,
  row: Operation,
): Promise<AuthenticatedCaller | undefined> {
  const wanted = wantedOf(exchange, row);
  const key = bearerOf(exchange.header('authorization'));
  if (row.surface === 'console' && key?.startsWith('sk_')) throw new Refused(keysAreNotPeople);
  if (row.surface === 'api' && key !== undefined) {
    const holder = await holderOf(key, exchange, options, wanted, bucketOf(options, row));
    if (!scopeAllows(holder.caller.scope, effectOf(row))) throw beyondScope(holder.caller.scope);
    return holder;
  }
  const token = readSessionCookie(exchange);
  const mayChange = row.method !== 'GET';
  if (mayChange && (token !== undefined || row.access === 'anonymous'))
    requireOwnOrigin(exchange, options);
  if (token === undefined) {
    if (row.access === 'anonymous') return undefined;
    throw new Refused(unauthorized);
  }
  const sessionHash = hashToken(token);
  const found = await taking(options, sessionRateLimit, (limit) =>
    findCallerBySession(options.database, sessionHash, limit, wanted),
  );
  if (found === undefined && row.access === 'anonymous') return undefined;
  const authenticated = admitted(found);
  if (mayChange && row.access !== 'anonymous') requireCsrfToken(exchange, options, sessionHash);
  return { ...authenticated, sessionHash };
}

interface Bucket {
  readonly bucket: KeyBucket;
  readonly limit: RateLimit | 'off';
}

function bucketOf({ rateLimit, ingestionRateLimit }: HttpOptions, row?: Operation): Bucket {
  if (!row?.ingestion || ingestionRateLimit === undefined)
    return { bucket: 'of all calls', limit: rateLimit };
  return { bucket: 'of ingestion', limit: ingestionRateLimit };
}

/** Authenticates the key of a request that belongs to no single operation. Rejects sessions. */
export async function authenticateKey(
  exchange: RequestExchange,
  options: HttpOptions,
): Promise<AuthenticatedCaller> {
  const key = bearerOf(exchange.header('authorization'));
  if (key === undefined) throw new Refused(unauthorized);
  return holderOf(key, exchange, options, undefined, bucketOf(options));
}

async function holderOf(
  key: string,
  { hasToken }: RequestExchange,
  options: HttpOptions,
  wanted: Wanted,
  { bucket, limit: own }: Bucket,
): Promise<AuthenticatedCaller> {
  return admitted(
    await taking(options, hasToken ? 'off' : own, (limit) =>
      findCallerByKey(options.database, key, limit, wanted, bucket),
    ),
  );
}

/**
 * Finds the caller. The lookup also takes a token from the rate limit and therefore writes. If the
 * write fails because the disk is full, the request continues without a rate limit.
 */
async function taking(
  { disk }: HttpOptions,
  limit: RateLimit | 'off',
  find: (limit: RateLimit | 'off') => Promise<CallerFound>,
): Promise<CallerFound> {
  try {
    return await find(limit);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    disk?.reportFull();
    return find('off');
  }
}

/**
 * Returns the requested project and run. Text that cannot be an id is not looked up. `default` is
 * accepted only by ingestion.
 */
function wantedOf(exchange: RequestExchange, row: Operation): Wanted {
  if (!isTier(row.access)) return undefined;
  const projectId = exchange.parameters['projectId'] ?? '';
  if (row.ingestion && projectId === 'default') return 'default';
  if (!isIdLike(projectId)) return undefined;
  const runId = row.path.includes('/eval-runs/{runId}') ? exchange.parameters['runId'] : undefined;
  return runId !== undefined && isIdLike(runId) ? { projectId, runId } : { projectId };
}

export function csrfToken({ database }: HttpOptions, sessionHash: Buffer): string {
  return database.vault.sign('csrf', sessionHash.toString('hex'));
}

function admitted(found: CallerFound): AuthenticatedCaller {
  if (found === undefined) throw new Refused(unauthorized);
  if ('orphaned' in found) throw new Refused(orphaned);
  if (found.retryAfterSeconds !== undefined) throw tooManyRequests(found.retryAfterSeconds);
  const { caller, project, runRevision, epoch } = found;
  return { caller, project, runRevision, epoch };
}

export function tooManyRequests(retryAfterSeconds: number): Refused {
  const refusal: Refusal = {
    code: 'RATE_LIMITED',
    message: 'Too many requests; try again after the time in Retry-After.',
    details: { retryAfterSeconds },
  };
  return new Refused(refusal, { 'retry-after': String(retryAfterSeconds) });
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (/^bearer +(.*)$/i.exec(header)?.[1]?.trim() ?? '');
}

/**
 * Returns whether a page of another origin sent the request. Browsers send the origin of the page;
 * programs send none.
 */
export function isForeignOrigin(exchange: RequestExchange, options: HttpOptions): boolean {
  return exchange.header('origin') !== undefined && !isOwnOrigin(exchange, options);
}

function isOwnOrigin(exchange: RequestExchange, { publicUrl }: HttpOptions): boolean {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).origin];
  return isAllowedOrigin(exchange.header('origin'), exchange.header('host'), own);
}

export function requireOwnOrigin(exchange: RequestExchange, options: HttpOptions): void {
  if (isOwnOrigin(exchange, options)) return;
  throw new Refused({
    code: 'FORBIDDEN',
    message: 'Requests that change data with a console session must come from the console itself.',
  });
}

export function requireCsrfToken(
  exchange: RequestExchange,
  options: HttpOptions,
  sessionHash: Buffer,
): void {
  const given = exchange.header('x-csrf-token') ?? '';
  if (options.database.vault.verify('csrf', sessionHash.toString('hex'), given)) return;
  throw new Refused({
    code: 'FORBIDDEN',
    message:
      'The X-CSRF-Token header is missing or belongs to another session; load the page again.',
    details: { reason: 'CSRF_TOKEN' },
  });
}

function beyondScope(scope: KeyScope): Refused {
  const message =
    scope === 'read-only'
      ? 'This API key is read-only; use a key with another scope.'
      : 'This API key is only for reading, running and reporting; use a key with full scope.';
  return new Refused({ code: 'FORBIDDEN', message, details: { reason: 'KEY_SCOPE', scope } });
}

const unauthorized: Refusal = {
  code: 'UNAUTHORIZED',
  message: 'The API key is missing, malformed, unknown, revoked or expired.',
};

const orphaned: Refusal = {
  code: 'UNAUTHORIZED',
  message:
    'The organization of this API key was deleted, or its owner no longer belongs to it; create a new key.',
  details: { reason: 'ORPHANED_KEY' },
};

const keysAreNotPeople: Refusal = {
  code: 'FORBIDDEN',
  message: 'API keys cannot be used here; sign in to the console.',
};
