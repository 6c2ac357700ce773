/** Findings of journeys in words. */
import { patternOf, type SwarmFindingEvidence } from '@proofmark/domain';

/**
 * The message that was met most often. A pattern has placeholders where messages differ, so one message of it is told in
 * the words that were recorded.
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
