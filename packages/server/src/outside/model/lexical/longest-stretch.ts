import type { Word } from './words.ts';

/**
 * Returns the stretch with the most telling words and no used word, without fillers at its ends.
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
