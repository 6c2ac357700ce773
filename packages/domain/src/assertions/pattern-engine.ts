/**
 * A regular expression engine, given by the caller. It runs in time linear in the text, and answers
 * with a problem where it cannot say whether the pattern is found.
 */
export interface PatternEngine {
  test(pattern: string, text: string): boolean | { readonly problem: string };
}

export const maxMatchedTextLength = 100_000;
