/**
 * The URL parser accepts control characters and unpaired surrogates, but the database cannot store
 * all of them.
 */
export function isCleanText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
