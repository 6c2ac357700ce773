/**
 * Whether a text from an authorization server may be stored. Addresses and scopes need no control
 * characters or unpaired surrogates. The URL parser accepts such characters, but the database
 * cannot store all of them.
 */
export function isCleanText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
