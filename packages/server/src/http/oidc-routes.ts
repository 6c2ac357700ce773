/**
 * Signing in through the operator's identity provider. The state of the attempt travels sealed in a
 * short-lived cookie. Only accounts an administrator has added may enter: an identity is bound to
 * the account of its verified e-mail address the first time.
 */
import { type SignInProblem, signInProblems } from '@proofmark/domain';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { OidcTransaction } from '../accounts/oidc/oidc.ts';
import { OidcRefused } from '../accounts/oidc/oidc-refused.ts';
import { findOrBindIdentity } from '../storage/accounts.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { enter } from './sign-in/sign-in-handlers.ts';

const cookie = 'proofmark_oidc';
const path = '/console/oidc';
const sealedAs = { organizationId: '', rowId: 'oidc', field: 'transaction' };

export function oidcRoutes(app: Hono<DoorEnvironment>, options: DoorOptions): void {
  const { oidc, database } = options;
  if (oidc === undefined) return;

  app.get(`${path}/start`, async (context) => {
    context.set('operationId', 'oidcStart');
    try {
      const { url, transaction } = await oidc.begin();
      const sealed = database.vault
        .seal(JSON.stringify(transaction), sealedAs)
        .toString('base64url');
      const secure = options.publicUrl?.startsWith('https:') ?? false;
      setCookie(context, cookie, sealed, {
        httpOnly: true,
        sameSite: 'Lax',
        path,
        secure,
        maxAge: 600,
      });
      return context.redirect(url);
    } catch (error) {
      return backToSignIn(context, options, error);
    }
  });

  app.get(`${path}/callback`, async (context) => {
    context.set('operationId', 'oidcCallback');
    try {
      const transaction = openTransaction(context, options);
      const identity = await oidc.finish(context.req.url, transaction);
      const account = await findOrBindIdentity(database, {
        issuer: identity.issuer,
        subject: identity.subject,
        verifiedEmail: identity.emailVerified ? identity.email : undefined,
      });
      if (account === undefined) throw new NotSignedIn('NO_ACCOUNT');
      await enter({ context, options }, account.accountId);
      deleteCookie(context, cookie, { path });
      return context.redirect('/');
    } catch (error) {
      return backToSignIn(context, options, error);
    }
  });
}

function openTransaction(
  context: Context<DoorEnvironment>,
  { database }: DoorOptions,
): OidcTransaction {
  const sealed = Buffer.from(getCookie(context, cookie) ?? '', 'base64url');
  try {
    return JSON.parse(database.vault.open(sealed, sealedAs)) as OidcTransaction;
  } catch {
    throw new NotSignedIn('STARTED_ELSEWHERE');
  }
}

/** The attempt is over either way, so its cookie goes. */
function backToSignIn(
  context: Context<DoorEnvironment>,
  { log }: DoorOptions,
  error: unknown,
): Response {
  const known = error instanceof NotSignedIn || error instanceof OidcRefused;
  const fields = { requestId: context.get('requestId'), err: error };
  if (known) log.warn(fields, 'OIDC sign-in refused');
  else log.error(fields, 'OIDC sign-in failed');
  deleteCookie(context, cookie, { path });
  return context.redirect(`/sign-in?error=${known ? error.reason : 'FAILED'}`);
}

class NotSignedIn extends Error {
  readonly reason: SignInProblem;

  constructor(reason: SignInProblem) {
    super(signInProblems[reason]);
    this.reason = reason;
  }
}
