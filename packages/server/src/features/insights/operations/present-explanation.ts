import type { Candidate, FindingStatus, StoredInsights } from '@proofmark/domain';

/** Returns null if the explanation cannot be read. */
export function presentExplanation(
  { material, answer, generatedAt, modelUsed }: StoredInsights,
  statuses: ReadonlyMap<string, FindingStatus>,
  present: (candidate: Candidate) => object = (candidate) => candidate,
): Record<string, unknown> | null {
  if (material === undefined || answer === undefined) return null;
  const { coverage } = material;
  const candidates = material.candidates.map(({ candidate }) => candidate);
  const narrationOf = (fingerprint: string) =>
    Object.hasOwn(answer.narrations, fingerprint) ? answer.narrations[fingerprint] : undefined;
  return {
    summary: answer.summary,
    generatedAt,
    modelUsed,
    sessionCount: coverage.analyzed,
    unanalyzedSessionCount: coverage.total - coverage.analyzed,
    feedbackCount: coverage.feedbackCount ?? 0,
    truncated: coverage.truncated,
    lowConfidence: coverage.lowConfidence,
    candidates: candidates.flatMap((candidate) => {
      const narration = narrationOf(candidate.fingerprint);
      const findingStatus = statuses.get(candidate.fingerprint);
      if (narration === undefined) return [];
      return [{ ...present(candidate), ...(findingStatus && { findingStatus }), ...narration }];
    }),
    unnarratedCandidates: candidates
      .filter(({ fingerprint }) => narrationOf(fingerprint) === undefined)
      .map(present),
  };
}
