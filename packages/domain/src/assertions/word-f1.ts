/**
 * Splits a text of any script into case-folded words and keeps duplicates. In scripts without
 * spaces, each character is a word.
 */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase();
  return folded.match(word) ?? [];
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;

/**
 * Returns the F1 score of two texts, from 0 to 1: the harmonic mean of precision and recall over
 * their common words.
 */
export function wordF1(one: string, other: string): number {
  const left = counted(wordsOf(one));
  const right = counted(wordsOf(other));
  let shared = 0;
  for (const [key, count] of left.counts) shared += Math.min(count, right.counts.get(key) ?? 0);
  const all = left.total + right.total;
  return all === 0 ? 0 : (2 * shared) / all;
}

function counted(words: readonly string[]) {
  const counts = new Map<string, number>();
  for (const one of words) counts.set(one, (counts.get(one) ?? 0) + 1);
  return { counts, total: words.length };
}
