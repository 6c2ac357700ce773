/**
 * Sign-in through the operator's identity provider. The state of an attempt is stored, encrypted,
 * in a short-lived cookie. Only accounts that an administrator has added may sign in. An identity
 * is bound, at its first use, to the account with its verified e-mail address.
 */
import { type SignInProblem, signInProblems } from '@proofmark/domain';
import type { OidcTransaction } from '../accounts/oidc/oidc.ts';
import { OidcRefused } from '../accounts/oidc/oidc-refused.ts';
import { findOrBindIdentity } from '../accounts/store/accounts.ts';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';
import type { HttpOptions } from './http-options.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import type { Routes } from './routes.ts';
import { AccountDisabled, enter } from './sign-in/sign-in-handlers.ts';

const cookie = 'proofmark_oidc';
const path = '/console/oidc';
const sealedAs = { organizationId: '', rowId: 'oidc', field: 'transaction' };

export function oidcRoutes(routes: Routes, options: HttpOptions): void {
  const { oidc, database } = options;
  if (oidc === undefined) return;

  routes.add('GET', `${path}/start`, async (exchange) => {
    exchange.operationId = 'oidcStart';
    try {
      const { url, transaction } = await oidc.begin();
      const sealed = database.vault
        .seal(JSON.stringify(transaction), sealedAs)
        .toString('base64url');
      const secure = options.publicUrl?.startsWith('https:') ?? false;
      writeCookie(exchange, cookie, sealed, { path, secure, maxAgeSeconds: 600 });
      return redirectTo(url);
    } catch (error) {
      return backToSignIn(exchange, options, error);
    }
  });

  routes.add('GET', `${path}/callback`, async (exchange) => {
    exchange.operationId = 'oidcCallback';
    try {
      const transaction = openTransaction(exchange, options);
      const identity = await oidc.finish(urlOf(exchange), transaction);
      const account = await findOrBindIdentity(database, {
        issuer: identity.issuer,
        subject: identity.subject,
        verifiedEmail: identity.emailVerified ? identity.email : undefined,
      });
      if (account === undefined) throw new NotSignedIn('NO_ACCOUNT');
      await enterOrTell({ exchange, options }, account.accountId);
      clearCookie(exchange, cookie, path);
      return redirectTo('/');
    } catch (error) {
      return backToSignIn(exchange, options, error);
    }
  });
}

async function enterOrTell(visit: Parameters<typeof enter>[0], accountId: string): Promise<void> {
  try {
    await enter(visit, accountId, 'oidc');
  } catch (error) {
    throw error instanceof AccountDisabled ? new NotSignedIn('ACCOUNT_DISABLED') : error;
  }
}

function openTransaction(exchange: RequestExchange, { database }: HttpOptions): OidcTransaction {
  const sealed = Buffer.from(readCookie(exchange, cookie) ?? '', 'base64url');
  try {
    return JSON.parse(database.vault.open(sealed, sealedAs)) as OidcTransaction;
  } catch {
    throw new NotSignedIn('STARTED_ELSEWHERE');
  }
}

/**
 * Redirects to the sign-in page with the error. Every error ends the attempt, so the cookie is
 * deleted.
 */
function backToSignIn(exchange: RequestExchange, { log }: HttpOptions, error: unknown): Answer {
  const known = error instanceof NotSignedIn || error instanceof OidcRefused;
  const fields = { requestId: exchange.requestId, err: error };
  if (known) log.warn(fields, 'OIDC sign-in refused');
  else log.error(fields, 'OIDC sign-in failed');
  clearCookie(exchange, cookie, path);
  return redirectTo(`/sign-in?error=${known ? error.reason : 'FAILED'}`);
}

/**
 * Returns the address to which the provider redirected. The host header can be trusted: requests
 * for unknown host names are already rejected.
 */
function urlOf({ path: at, query, incoming }: RequestExchange): string {
  return `http://${incoming.headers.host}${at}?${query}`;
}

function redirectTo(location: string): Answer {
  return { status: 302, body: null, headers: { location } };
}

class NotSignedIn extends Error {
  readonly reason: SignInProblem;

  constructor(reason: SignInProblem) {
    super(signInProblems[reason]);
    this.reason = reason;
  }
}
