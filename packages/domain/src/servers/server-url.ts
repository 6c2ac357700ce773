import { isMasked } from './masked-url.ts';

/**
 * Returns the problem with a saved server's address. The address must use http or https, without
 * credentials, fragment or invisible characters. Some URL parsers skip line breaks and tabs, so two
 * parsers could read an address with them differently.
 */
export function serverUrlProblem(
  text: string,
  placeOfSecrets: 'headers' | 'the key' = 'headers',
): string | undefined {
  const hidden = unseenCharacterProblem(text);
  if (hidden !== undefined) return hidden;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'The url is not a valid absolute URL.';
  if (!writtenOut.test(text)) {
    return 'The url must start with http:// or https://.';
  }
  if (url.username !== '' || url.password !== '') {
    return `The url must hold no user name or password; use ${placeOfSecrets} instead.`;
  }
  if (url.hash !== '') return 'The url must hold no fragment (#…).';
  return undefined;
}

/** The full form `http://host`. URL parsers accept shorter forms too, but they are not stored. */
const writtenOut = /^https?:\/\/[^/\\?#\s]/i;

/**
 * Rejects an address that contains the mask: a mask is accepted only in an unchanged displayed
 * address, where it represents the stored secret.
 */
export function maskedUrlProblem(text: string): string | undefined {
  return isMasked(text)
    ? 'The url contains *** in place of a secret; send the url exactly as you got it, or with the secret.'
    : undefined;
}

export function unseenCharacterProblem(text: string): string | undefined {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
    ? 'The url must hold no control characters.'
    : undefined;
}

export function sameOrigin(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return new URL(one).origin === new URL(other).origin;
}

const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/**
 * Headers that only Proofmark itself sets, since they frame a message or belong to the connection.
 */
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
  if (reservedHeaders.has(name.toLowerCase()))
    return 'The service sets this header itself; remove it.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not hold.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value)) {
    return 'The header value has characters HTTP does not allow.';
  }
  return undefined;
}
