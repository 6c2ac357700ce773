import type { BodyOf, OutputOf, SignInOperationId } from '@proofmark/contract';
import { invalid, operatesInstallation, type Refusal, Refused } from '@proofmark/domain';
import { type Acceptance, acceptInvitation, readInvitation } from '../../accounts/invitations.ts';
import { changePassword, checkPassword } from '../../accounts/passwords.ts';
import { presentAccount } from '../../accounts/present-account.ts';
import {
  redeemLink,
  type SignInWay,
  type StartedSession,
  startSession,
} from '../../accounts/sessions.ts';
import { deleteSession, findAccount } from '../../accounts/store/accounts.ts';
import { roleInFirstOrganization } from '../../accounts/store/organizations.ts';
import { actorOf } from '../../operations/record-audit.ts';
import { csrfToken, tooManyRequests } from '../authenticate.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { clientAddress, visitorAt } from '../client-address.ts';
import type { HttpOptions } from '../http-options.ts';
import type { RequestExchange } from '../request-exchange.ts';
import { clearSessionCookie, writeSessionCookie } from '../session-cookie.ts';

interface Visit {
  readonly exchange: RequestExchange;
  readonly options: HttpOptions;
  readonly authenticated: AuthenticatedCaller | undefined;
}

type Handler<Id extends SignInOperationId> = (
  visit: Visit,
  input: { readonly body: BodyOf<Id> },
) => Promise<OutputOf<Id>>;

export const signInHandlers: { readonly [Id in SignInOperationId]: Handler<Id> } = {
  async getSession({ options, authenticated }) {
    return authenticated?.sessionHash === undefined
      ? signedOut(options)
      : signedIn(options, authenticated.caller.account.id, authenticated.sessionHash);
  },

  async signIn(visit, { body }) {
    const { database, trustedProxies } = visit.options;
    const from = visitorAt(addressOf(visit), trustedProxies);
    const result = await checkPassword(database, body.email, body.password, from);
    if ('accountId' in result) return enter(visit, result.accountId, 'password');
    if (result.refused === 'tooManyTries') throw tooManyRequests(result.retryAfterSeconds);
    if (result.refused === 'disabled') throw new AccountDisabled();
    throw new Refused({
      code: 'UNAUTHORIZED',
      message: 'The e-mail address or the password is wrong.',
    });
  },

  async redeemSignInLink(visit, { body }) {
    const redeemed = await redeemLink(visit.options.database, body.token);
    if (redeemed !== undefined) return enter(visit, redeemed.accountId, 'link');
    throw new Refused({
      code: 'UNAUTHORIZED',
      message: 'This sign-in link was already used or has expired. Ask the operator for a new one.',
    });
  },

  async readInvitation({ options }, { body }) {
    const invitation = await readInvitation(options.database, body.token);
    if (invitation === undefined) throw new Refused(notAccepted({ refused: 'unknown' }));
    const { organizationName, email, role, expiresAt } = invitation;
    return { organizationName, email, role, expiresAt: expiresAt.getTime() };
  },

  async acceptInvitation({ exchange, options, authenticated }, { body }) {
    const { caller, sessionHash: hash } = authenticated ?? {};
    const mine = caller && hash && { accountId: caller.account.id, sessionHash: hash };
    const address = addressOf({ exchange, options });
    const accepted = await acceptInvitation(options.database, body.token, mine, address);
    if ('refused' in accepted) throw new Refused(notAccepted(accepted));
    const { accountId, session } = accepted;
    if (session !== undefined) return signInWith({ exchange, options }, accountId, session);
    const { sessionHash } = authenticated as Required<AuthenticatedCaller>;
    return signedIn(options, accountId, sessionHash);
  },

  async signOut({ exchange, options, authenticated }) {
    if (authenticated?.sessionHash) {
      const actor = {
        ...actorOf(authenticated.caller),
        accountId: authenticated.caller.account.id,
      };
      await deleteSession(options.database, authenticated.sessionHash, actor);
    }
    clearSessionCookie(exchange);
    return signedOut(options);
  },

  async setPassword({ options, authenticated }, { body }) {
    const { caller, sessionHash } = authenticated as Required<AuthenticatedCaller>;
    const change = { currentPassword: body.currentPassword, newPassword: body.newPassword };
    const result = await changePassword(options.database, caller.account.id, change, sessionHash);
    if ('refused' in result) throw tooManyRequests(result.retryAfterSeconds);
    if ('problem' in result) throw new Refused(invalid(result.path, result.problem));
    return signedIn(options, caller.account.id, sessionHash);
  },
};

export async function enter(
  visit: Pick<Visit, 'exchange' | 'options'>,
  accountId: string,
  method: SignInWay['method'],
): Promise<OutputOf<'signIn'>> {
  const way = { method, address: addressOf(visit) };
  const session = await startSession(visit.options.database, accountId, way);
  if (session === undefined) throw new AccountDisabled();
  return signInWith(visit, accountId, session);
}

export class AccountDisabled extends Refused {
  constructor() {
    const message = 'This account is disabled. Ask an owner or admin of your organization.';
    super({ code: 'UNAUTHORIZED', message, details: { reason: 'ACCOUNT_DISABLED' } });
  }
}

function signInWith(
  { exchange, options }: Pick<Visit, 'exchange' | 'options'>,
  accountId: string,
  { token, hash }: StartedSession,
): Promise<OutputOf<'signIn'>> {
  writeSessionCookie(exchange, options, token);
  return signedIn(options, accountId, hash);
}

function notAccepted(acceptance: Extract<Acceptance, { refused: string }>): Refusal {
  if (acceptance.refused === 'unknown') {
    const message =
      'This invitation was already used, was withdrawn or has expired. Ask for a new one.';
    return { code: 'UNAUTHORIZED', message };
  }
  const { email } = acceptance;
  if (acceptance.refused === 'signOutFirst') {
    const message = `This invitation is for ${email}, but you are signed in with another account: sign out first.`;
    return { code: 'UNAUTHORIZED', message, details: { reason: 'SIGN_OUT_FIRST', email } };
  }
  const message = `The account ${email} already exists: sign in with it, then open the invitation again.`;
  return { code: 'UNAUTHORIZED', message, details: { reason: 'SIGN_IN_FIRST', email } };
}

function addressOf({ exchange, options }: Pick<Visit, 'exchange' | 'options'>): string | null {
  return clientAddress(exchange.incoming, options.trustedProxies);
}

async function signedIn(
  options: HttpOptions,
  accountId: string,
  sessionHash: Buffer,
): Promise<OutputOf<'signIn'>> {
  const [account, roleInFirst] = await Promise.all([
    findAccount(options.database, accountId),
    roleInFirstOrganization(options.database, accountId),
  ]);
  if (account === undefined)
    throw new Error('Internal fault: the account of a console session does not exist.');
  return {
    ...signedOut(options),
    signedIn: true,
    account: presentAccount(account),
    hasPassword: account.hasPassword,
    operatesInstallation: operatesInstallation(roleInFirst),
    csrfToken: csrfToken(options, sessionHash),
  };
}

function signedOut({ oidc }: HttpOptions): OutputOf<'signOut'> {
  return { signedIn: false, methods: { password: true, oidc: oidc !== undefined } };
}
