import { sessionLifetimeMs } from '@proofmark/domain';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { DoorEnvironment, DoorOptions } from './door.ts';

const name = 'proofmark_session';

export function readSessionCookie(context: Context<DoorEnvironment>): string | undefined {
  const token = getCookie(context, name);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined;
}

export function writeSessionCookie(
  context: Context<DoorEnvironment>,
  { publicUrl }: DoorOptions,
  token: string,
): void {
  setCookie(context, name, token, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: publicUrl?.startsWith('https:') ?? false,
    maxAge: Math.floor(sessionLifetimeMs / 1000),
  });
}

export function clearSessionCookie(context: Context<DoorEnvironment>): void {
  deleteCookie(context, name, { path: '/' });
}
