/** Pages may load, frame and run only our own files; answers of the API are not pages. */
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

/** The headers of every answer; a page replaces the policy with another. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/** Adds the header that keeps browsers on HTTPS if the public address uses it. */
export function securityHeadersFor(publicUrl: string | undefined): Record<string, string> {
  return publicUrl?.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' }
    : { ...securityHeaders };
}

/** Returns all headers of a JSON answer. */
export function jsonHeaders(
  security: Readonly<Record<string, string>>,
  requestId: string,
): Record<string, string | number | string[]> {
  return { ...security, 'content-type': 'application/json', 'x-request-id': requestId };
}
