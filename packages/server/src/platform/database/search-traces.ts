/** Searching the JSON text of traces before it is parsed into messages. */

/** The most traces to search, and the most bytes of their JSON text. */
export interface SearchBounds {
  readonly traces: number;
  readonly bytes: number;
}

/**
 * Returns the longest part of the words that the JSON text of every matching trace contains, in any
 * case. It has ASCII only, since not every database can lower other letters. If it is empty, every
 * trace may match.
 */
export function spelledPart(words: string): string {
  const parts =
    JSON.stringify(words)
      .slice(1, -1)
      .match(/[ -~]+/g) ?? [];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
