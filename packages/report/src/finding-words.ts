import { patternOf, type SwarmFindingEvidence } from '@proofmark/domain';

/**
 * A pattern is a message with placeholders for its varying parts. The sentence instead quotes a
 * recorded message that matches the most frequent pattern.
 */
export function mostOftenSentence({
  patterns,
  exemplars,
}: {
  readonly patterns: SwarmFindingEvidence['patterns'];
  readonly exemplars: readonly { readonly reason?: string | undefined }[];
}): string | undefined {
  const [first] = patterns;
  if (first === undefined) return undefined;
  const { pattern } = first;
  const example = exemplars.find(({ reason = '' }) => patternOf(reason) === pattern)?.reason;
  return `Most often, like: ${example ?? pattern}`;
}
