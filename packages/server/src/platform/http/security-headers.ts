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
  'x-robots-tag': 'noindex, nofollow',
};

/** With the rule that keeps browsers on HTTPS, where the installation is reached by it. */
export function securityHeadersFor(publicUrl: string | undefined): Record<string, string> {
  return publicUrl?.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' }
    : { ...securityHeaders };
}

/** All headers of an answer that holds JSON. */
export function jsonHeaders(
  security: Readonly<Record<string, string>>,
  requestId: string,
): Record<string, string | number | string[]> {
  return { ...security, 'content-type': 'application/json', 'x-request-id': requestId };
}
