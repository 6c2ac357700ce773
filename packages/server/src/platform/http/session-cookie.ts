import { sessionLifetimeMs } from '@proofmark/domain';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import type { HttpOptions } from './http-options.ts';

const name = 'proofmark_session';

export function readSessionCookie(exchange: Exchange): string | undefined {
  const token = readCookie(exchange, name);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export function writeSessionCookie(
  exchange: Exchange,
  { publicUrl }: HttpOptions,
  token: string,
): void {
  writeCookie(exchange, name, token, {
    path: '/',
    secure: publicUrl?.startsWith('https:') ?? false,
    maxAgeSeconds: Math.floor(sessionLifetimeMs / 1000),
  });
}

export function clearSessionCookie(exchange: Exchange): void {
  clearCookie(exchange, name, '/');
}
