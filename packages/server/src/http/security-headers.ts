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

/** Set on the answer of node itself: a page replaces what it must, and nothing is copied on the way. */
export function setSecurityHeaders(
  { outgoing }: DoorEnvironment['Bindings'],
  publicUrl: string | undefined,
): void {
  for (const name in securityHeaders) outgoing.setHeader(name, securityHeaders[name] as string);
  if (publicUrl?.startsWith('https:')) {
    outgoing.setHeader('strict-transport-security', 'max-age=31536000');
  }
}
