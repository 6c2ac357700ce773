/** Misspelled words: a letter too many, too few, changed or swapped, or a word cut short. */

/**
 * Returns the first of the known words that is nearly the same; undefined for short words, which
 * are too similar.
 */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length < 4) return undefined;
  for (const other of known) {
    if (other.length >= 4 && other[0] === word[0] && isNear(word, other)) return other;
  }
  return undefined;
}

function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.startsWith(short)) return true;
  if (long.length - short.length > 1 || short.length < 5) return false;
  let at = 0;
  while (short[at] === long[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(from);
  if (long.length > short.length) return rest(short, at) === rest(long, at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return rest(short, at + (isSwapped ? 2 : 1)) === rest(long, at + (isSwapped ? 2 : 1));
}
