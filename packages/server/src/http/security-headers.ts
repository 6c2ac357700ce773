import type { Context } from 'hono';
import type { DoorEnvironment } from './door.ts';

/** Nothing may be loaded, framed or run but our own files; answers of the API are not pages at all. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** On every answer, whatever it is; a page replaces the policy by its own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function setSecurityHeaders(
  context: Context<DoorEnvironment>,
  publicUrl: string | undefined,
): void {
  for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
  if (publicUrl?.startsWith('https:')) {
    context.header('strict-transport-security', 'max-age=31536000');
  }
}
