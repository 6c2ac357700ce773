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

/** With the rule that keeps browsers on HTTPS, where the installation is reached by it. */
export function securityHeadersFor(publicUrl: string | undefined): Record<string, string> {
  return publicUrl?.startsWith('https:')
    ? { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' }
    : { ...securityHeaders };
}

/**
 * All headers of an answer that holds JSON. Written out one by one, because every answer of the API passes here
 * and spreading one object into another takes longer than all the rest of answering.
 */
export function jsonHeaders(security: Readonly<Record<string, string>>, requestId: string) {
  const headers: Record<string, string | number | string[]> = {
    'content-security-policy': security['content-security-policy'] as string,
    'x-content-type-options': security['x-content-type-options'] as string,
    'referrer-policy': security['referrer-policy'] as string,
    'cross-origin-opener-policy': security['cross-origin-opener-policy'] as string,
    'cross-origin-resource-policy': security['cross-origin-resource-policy'] as string,
    'cache-control': security['cache-control'] as string,
    'content-type': 'application/json',
    'x-request-id': requestId,
  };
  const transport = security['strict-transport-security'];
  if (transport !== undefined) headers['strict-transport-security'] = transport;
  return headers;
}
