/**
 * Returns the word that was probably meant: a word that begins with the written text or with which
 * the text begins, or a word that differs in few letters. Returns undefined without a good guess.
 */
const longestGuessed = 64;

export function likelyMeant(written: string, words: readonly string[]): string | undefined {
  if (written.length > longestGuessed) return undefined;
  const own = written.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const word of words) {
    const other = word.toLowerCase();
    const isBegun = Math.min(own.length, other.length) >= 3 && isPrefix(own, other);
    const distance = isBegun ? 0.5 : editDistance(own, other);
    const isNear = distance <= Math.max(1, Math.floor(own.length / 4));
    if (isNear && own.length > 1 && (best === undefined || distance < best.distance)) {
      best = { word, distance };
    }
  }
  return best?.word;
}

function isPrefix(one: string, other: string): boolean {
  return one !== other && (one.startsWith(other) || other.startsWith(one));
}

/**
 * Returns the edit distance: the number of letters to insert, remove, change, or swap with the next
 * letter.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one known algorithm, the table of distances filled row by row.
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  let rowBefore = row;
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swap = isSwapped && at > 1 && to > 1 ? (rowBefore[to - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    rowBefore = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
