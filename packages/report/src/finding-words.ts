/** The wording of the findings of journeys. */
import { patternOf, type SwarmFindingEvidence } from '@proofmark/domain';

/**
 * Returns a sentence that quotes the most frequent message. A pattern has placeholders for varying
 * parts, so one recorded message that matches it is quoted instead.
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
