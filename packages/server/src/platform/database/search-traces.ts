/** How traces are searched before anybody knows what a message is. */

/** So many traces, and so many bytes of them as they are spelled. */
export interface SearchBounds {
  readonly traces: number;
  readonly bytes: number;
}

/**
 * A part of the words that every trace that says them holds, in whatever case. Not every database knows small letters
 * beyond ASCII. Where there are none, all may say it.
 */
export function spelledPart(words: string): string {
  const parts =
    JSON.stringify(words)
      .slice(1, -1)
      .match(/[ -~]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
