export interface SearchBounds {
  readonly traces: number;
  readonly bytes: number;
}

/**
 * Returns the longest ASCII part of the searched words, written as in JSON. The JSON text of every
 * matching trace contains this part, ignoring case. Only ASCII is used, since not every database
 * can lower-case other letters. If the part is empty, any trace may match.
 */
export function spelledPart(words: string): string {
  const parts =
    JSON.stringify(words)
      .slice(1, -1)
      .match(/[ -~]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
