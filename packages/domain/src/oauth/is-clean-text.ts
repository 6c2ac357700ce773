/**
 * Whether a text of an authorization server may be stored. Addresses and scopes need no control
 * characters or unpaired surrogates, and the database cannot store all of them; the URL parser
 * accepts them.
 */
export function isCleanText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
