import { sessionLifetimeMs } from '@proofmark/domain';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';
import type { HttpOptions } from './http-options.ts';
import type { RequestExchange } from './request-exchange.ts';

const name = 'proofmark_session';

export function readSessionCookie(exchange: RequestExchange): string | undefined {
  const token = readCookie(exchange, name);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export function writeSessionCookie(
  exchange: RequestExchange,
  { publicUrl }: HttpOptions,
  token: string,
): void {
  writeCookie(exchange, name, token, {
    path: '/',
    secure: publicUrl?.startsWith('https:') ?? false,
    maxAgeSeconds: Math.floor(sessionLifetimeMs / 1000),
  });
}

export function clearSessionCookie(exchange: RequestExchange): void {
  clearCookie(exchange, name, '/');
}
