/**
 * A regular expression engine that the caller provides. Its run time must be linear in the length
 * of the text. It returns a problem if it cannot decide.
 */
export interface PatternEngine {
  test(pattern: string, text: string): boolean | { readonly problem: string };
}

export const maxMatchedTextLength = 100_000;
