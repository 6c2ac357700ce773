/**
 * A regular expression engine, given by the caller. It runs in time linear in the text, and answers
 * with a problem where it cannot say whether the pattern is found.
 */
export interface PatternEngine {
  test(pattern: string, text: string): boolean | { readonly problem: string };
}

export const maxMatchedTextLength = 100_000;

/**
 * A pattern is refused when a group that ends in a quantifier is itself repeated, as in `(a+)+`:
 * a quantifier, a closing parenthesis, a quantifier. Escaped characters and the inside of a
 * character class are not quantifiers.
 */
export function hasNestedQuantifier(pattern: string): boolean {
  let insideClass = false;
  let before: 'quantifier' | 'quantified group end' | 'group start' | 'other' = 'other';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    // The `?` after an opening parenthesis starts a group's kind, it repeats nothing.
    const repeats = !insideClass && !(character === '?' && before === 'group start');
    const length = repeats ? quantifierLength(pattern, at) : 0;
    if (length > 0) {
      if (before === 'quantified group end') return true;
      before = 'quantifier';
      at += length - 1;
    } else if (insideClass || !'()'.includes(character)) {
      if (character === '\\') at += 1;
      else if (character === '[') insideClass = true;
      else if (character === ']') insideClass = false;
      before = 'other';
    } else if (character === '(') {
      before = 'group start';
    } else {
      before = before === 'quantifier' ? 'quantified group end' : 'other';
    }
  }
  return false;
}

function quantifierLength(pattern: string, at: number): number {
  const character = pattern.charAt(at);
  if ('*+?'.includes(character)) return 1;
  if (character !== '{') return 0;
  return /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(at, at + 24))?.[0].length ?? 0;
}
