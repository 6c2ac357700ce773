/** The cookie that identifies a visiting browser: 128 random bits, and no data about its user. */
import { randomBytes } from 'node:crypto';
import { visitBounds } from '@proofmark/domain';
import { hashToken } from '../../../platform/accounts/token.ts';
import { readCookie, writeCookie } from '../../../platform/http/cookies.ts';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import type { RequestExchange } from '../../../platform/http/request-exchange.ts';

const name = 'proofmark_visitor';

export function readVisitorCookie(exchange: RequestExchange): Buffer | undefined {
  const token = readCookie(exchange, name);
  return token !== undefined && /^[\w-]{22}$/.test(token) ? hashToken(token) : undefined;
}

/** Sets a new cookie in the response and returns its hash. */
export function issueVisitorCookie(exchange: RequestExchange, options: HttpOptions): Buffer {
  const token = randomBytes(16).toString('base64url');
  keepCookie(exchange, options, token);
  return hashToken(token);
}

/** Renews the lifetime of the cookie on a return visit. */
export function renewVisitorCookie(exchange: RequestExchange, options: HttpOptions): void {
  const token = readCookie(exchange, name);
  if (token !== undefined) keepCookie(exchange, options, token);
}

function keepCookie(exchange: RequestExchange, { publicUrl }: HttpOptions, token: string): void {
  writeCookie(exchange, name, token, {
    path: '/',
    secure: publicUrl?.startsWith('https:') ?? false,
    maxAgeSeconds: visitBounds.identityMs / 1000,
  });
}
