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
  summary: 'Read who is signed in',
  description: 'Also says which ways of signing in there are.',
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
  description: 'A link works once and only for a while.',
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
    'For whoever holds its link, before they accept it. The token is in the body, since addresses are kept in logs.',
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
    'Makes the account of a new address and signs in. Where the address has an account already, its owner must be signed in; where it has none, nobody else may be.',
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
  description: 'Ends this session on every process.',
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
    'The current one is needed where there is one. All other sessions of the account end.',
  access: 'account',
  body: shapes.PasswordRequest,
  status: 200,
  output: shapes.SignedIn,
});
