export interface SearchBounds {
  readonly traces: number;
  readonly bytes: number;
}

/**
 * Returns the longest part of the searched words that occurs, ignoring case, in the JSON text of
 * every matching trace. The part is ASCII, since not every database can lower-case other letters.
 * If it is empty, any trace may match.
 */
export function spelledPart(words: string): string {
  const parts =
    JSON.stringify(words)
      .slice(1, -1)
      .match(/[ -~]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
