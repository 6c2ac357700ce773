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

const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

export function setSecurityHeaders(
  context: Context<DoorEnvironment>,
  publicUrl: string | undefined,
): void {
  context.header('content-security-policy', dataPolicy);
  context.header('x-content-type-options', 'nosniff');
  context.header('referrer-policy', 'no-referrer');
  context.header('cross-origin-opener-policy', 'same-origin');
  context.header('cross-origin-resource-policy', 'same-origin');
  context.header('cache-control', 'no-store');
  if (publicUrl?.startsWith('https:')) {
    context.header('strict-transport-security', 'max-age=31536000');
  }
}
