/**
 * Signs a person in and out. The HTTP layer handles these operations itself, because they set and
 * read cookies.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Sign-in';

export const getSession = defineOperation({
  operationId: 'getSession',
  surface: 'console',
  method: 'GET',
  path: '/session',
  tag,
  summary: 'Read the signed-in account',
  description: 'Also returns the available ways to sign in.',
  access: 'anonymous',
  status: 200,
  output: shapes.Session,
});

export const signIn = defineOperation({
  operationId: 'signIn',
  surface: 'console',
  method: 'POST',
  path: '/session',
  tag,
  summary: 'Sign in with e-mail and password',
  description: 'A wrong e-mail and a wrong password give the same answer.',
  access: 'anonymous',
  body: shapes.SignInRequest,
  status: 200,
  output: shapes.SignedIn,
  refusals: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const redeemSignInLink = defineOperation({
  operationId: 'redeemSignInLink',
  surface: 'console',
  method: 'POST',
  path: '/session/link',
  tag,
  summary: 'Sign in with a one-time link',
  description: 'A link can be used once, until it expires.',
  access: 'anonymous',
  body: shapes.SignInLinkRequest,
  status: 200,
  output: shapes.SignedIn,
  refusals: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const readInvitation = defineOperation({
  operationId: 'readInvitation',
  surface: 'console',
  method: 'POST',
  path: '/session/invitation/read',
  tag,
  summary: 'Read an invitation',
  description:
    'For the holder of the link, before the invitation is accepted. The token is sent in the body, because logs contain addresses.',
  access: 'anonymous',
  effect: 'reads',
  body: shapes.SignInLinkRequest,
  status: 200,
  output: shapes.InvitationRead,
  refusals: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const acceptInvitation = defineOperation({
  operationId: 'acceptInvitation',
  surface: 'console',
  method: 'POST',
  path: '/session/invitation',
  tag,
  summary: 'Accept an invitation',
  description:
    'Creates an account for a new address and signs in. If the address already has an account, its owner must be signed in; if it has none, no other account may be signed in.',
  access: 'anonymous',
  body: shapes.SignInLinkRequest,
  status: 200,
  output: shapes.SignedIn,
  refusals: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const signOut = defineOperation({
  operationId: 'signOut',
  surface: 'console',
  method: 'DELETE',
  path: '/session',
  tag,
  summary: 'Sign out',
  description: 'Ends this session at once.',
  access: 'account',
  status: 200,
  output: shapes.SignedOut,
});

export const setPassword = defineOperation({
  operationId: 'setPassword',
  surface: 'console',
  method: 'PUT',
  path: '/password',
  tag,
  summary: 'Set or change my password',
  description:
    'The current password is required if there is one. All other sessions of the account end.',
  access: 'account',
  body: shapes.PasswordRequest,
  status: 200,
  output: shapes.SignedIn,
});
