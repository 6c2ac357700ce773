/** The wording of findings in journeys. */
import { patternOf, type SwarmFindingEvidence } from '@proofmark/domain';

/**
 * Returns a sentence with the most frequent message. A pattern has placeholders for the varying
 * parts, so one recorded message is quoted.
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
