/**
 * A regular expression engine that the caller supplies. Its time must be linear in the length of
 * the text. It returns a problem if it cannot decide whether the pattern is found.
 */
export interface PatternEngine {
  test(pattern: string, text: string): boolean | { readonly problem: string };
}

export const maxMatchedTextLength = 100_000;
