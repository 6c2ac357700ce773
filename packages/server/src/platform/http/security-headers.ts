/**
 * The policy of pages, which may load, frame and run only our own files. API answers have a
 * stricter policy.
 */
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

/** The headers of every answer. A page replaces the content security policy with its own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * Returns the security headers. If the public address uses HTTPS, they include the header that
 * keeps browsers on HTTPS.
 */
export function securityHeadersFor(publicUrl: string | undefined): Record<string, string> {
  return publicUrl?.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' }
    : { ...securityHeaders };
}

export function jsonHeaders(
  security: Readonly<Record<string, string>>,
  requestId: string,
): Record<string, string | number | string[]> {
  return { ...security, 'content-type': 'application/json', 'x-request-id': requestId };
}
