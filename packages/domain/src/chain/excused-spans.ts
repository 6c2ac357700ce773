/** A call that failed as the case states it counts as one that was seen: its error says nothing against the server. */
import type { TrialEvidence } from './trial-evidence.ts';

type Seen = Pick<TrialEvidence, 'spans' | 'toolErrors'>;

export function withoutExcused<Evidence extends Seen>(
  evidence: Evidence,
  spanIds: readonly string[],
): Evidence {
  if (spanIds.length === 0) return evidence;
  const excused = new Set(spanIds);
  return {
    ...evidence,
    spans: evidence.spans.map((span) => {
      if (!excused.has(span.id)) return span;
      const { mcpErrorCode: _, mcpErrorOrigin: __, ...seen } = span;
      return { ...seen, status: 'ok' as const };
    }),
    toolErrors: evidence.toolErrors.filter(
      ({ spanId }) => spanId === undefined || !excused.has(spanId),
    ),
  };
}
