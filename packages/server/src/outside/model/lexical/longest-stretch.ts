import type { Word } from './words.ts';

/**
 * Returns the run of words with the most meaningful words. It contains no used word and has no
 * filler word at either end.
 */
export function longestStretch(
  words: readonly Word[],
  isUsed: (word: Word) => boolean,
  isFiller: (word: Word) => boolean,
): { readonly start: number; readonly end: number } | undefined {
  let best = nothing;
  let current = nothing;
  for (const word of words) {
    if (isUsed(word)) {
      current = nothing;
    } else if (!isFiller(word)) {
      const start = current.count === 0 ? word.start : current.start;
      current = { start, end: word.end, count: current.count + 1 };
      if (current.count > best.count) best = current;
    }
  }
  return best.count === 0 ? undefined : best;
}

const nothing = { start: 0, end: 0, count: 0 };
