/**
 * Signing in through the operator's identity provider. The state of the attempt travels sealed in a
 * short-lived cookie. Only accounts an administrator has added may enter: an identity is bound to
 * the account of its verified e-mail address the first time.
 */
import { Refused } from '@proofmark/domain';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { OidcTransaction } from '../accounts/oidc/oidc.ts';
import { findOrBindIdentity } from '../storage/accounts.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { enter } from './sign-in/handlers.ts';

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
      if (account === undefined)
        throw refused('There is no account for this identity. Ask an administrator to add you.');
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
  const sealed = getCookie(context, cookie);
  if (sealed === undefined)
    throw refused('The sign-in took too long or was started elsewhere. Try again.');
  return JSON.parse(
    database.vault.open(Buffer.from(sealed, 'base64url'), sealedAs),
  ) as OidcTransaction;
}

function backToSignIn(
  context: Context<DoorEnvironment>,
  { log }: DoorOptions,
  error: unknown,
): Response {
  log.warn({ requestId: context.get('requestId'), err: error }, 'OIDC sign-in refused');
  const known = error instanceof Refused || (error as Error).name === 'OidcRefused';
  const message = known ? (error as Error).message : 'Signing in failed. Try again.';
  return context.redirect(`/sign-in?error=${encodeURIComponent(message)}`);
}

function refused(message: string): Refused {
  return new Refused({ code: 'UNAUTHORIZED', message });
}
