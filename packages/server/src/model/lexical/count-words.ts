/** Words as they are counted for usage: runs of letters and digits. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}]+/gu)) count += 1;
  return count;
}

/** The words of a value's JSON; of something that has none, no words. */
export function countOf(value: unknown): number {
  try {
    return countWords(JSON.stringify(value) ?? '');
  } catch {
    return 0;
  }
}
