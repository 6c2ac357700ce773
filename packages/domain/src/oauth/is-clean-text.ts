/**
 * Text of an authorization server that may be kept. A control character or half of a character has no business in
 * an address or a scope, and the database does not store all of them; the URL parser lets them pass.
 */
export function isCleanText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
