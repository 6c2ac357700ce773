/** Which address a saved server may have: http or https, no credentials inside, no fragment. */
export function serverUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'The url is not a valid absolute URL.';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return 'The url must start with http:// or https://.';
  }
  if (url.username !== '' || url.password !== '') {
    return 'The url must hold no user name or password; use headers instead.';
  }
  if (url.hash !== '') return 'The url must hold no fragment (#…).';
  return undefined;
}

export function sameOrigin(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return new URL(one).origin === new URL(other).origin;
}

const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that frame a message or belong to the connection are ours to set. */
const reservedHeaders = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function headerProblem(name: string, value: string): string | undefined {
  if (!headerNamePattern.test(name)) return 'The header name has characters HTTP does not allow.';
  if (reservedHeaders.has(name.toLowerCase())) return 'This header is set by the service itself.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not hold.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)) {
    return 'The header value has characters HTTP does not allow.';
  }
  return undefined;
}
