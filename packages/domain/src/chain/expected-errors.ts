/**
 * Removes expected errors from the evidence. A call that failed as the case expects still counts as
 * a call, and its error does not count against the server. If it is unknown whether an error was
 * expected, the call proves neither failure nor success.
 */
import type { TrialEvidence } from './trial-evidence.ts';

type Seen = Pick<TrialEvidence, 'spans' | 'toolErrors' | 'openErrors'>;

export interface ExpectedErrorSpans {
  readonly excused: readonly string[];
  readonly unknown: readonly string[];
}

export function excuseExpectedErrors<Evidence extends Seen>(
  evidence: Evidence,
  { excused, unknown }: ExpectedErrorSpans,
): Evidence {
  if (excused.length === 0 && unknown.length === 0) return evidence;
  const isExcused = isOneOf(excused);
  const isUnknown = isOneOf(unknown);
  const open = evidence.toolErrors.filter(({ spanId }) => isUnknown(spanId));
  return {
    ...evidence,
    spans: evidence.spans.map((span) => {
      if (!isExcused(span.id) && !isUnknown(span.id)) return span;
      const { mcpErrorCode: _, mcpErrorOrigin: __, status: ___, ...seen } = span;
      return isExcused(span.id) ? { ...seen, status: 'ok' as const } : seen;
    }),
    toolErrors: evidence.toolErrors.filter(
      ({ spanId }) => !isExcused(spanId) && !isUnknown(spanId),
    ),
    ...(open.length > 0 && { openErrors: [...(evidence.openErrors ?? []), ...open] }),
  };
}

function isOneOf(ids: readonly string[]): (id: string | undefined) => boolean {
  const known = new Set<string | undefined>(ids);
  return (id) => known.has(id);
}

export function spansOfErrors(
  errors: Readonly<Record<keyof ExpectedErrorSpans, readonly { readonly spanId?: string }[]>>,
): ExpectedErrorSpans {
  const ids = (list: readonly { readonly spanId?: string }[]) =>
    list.flatMap(({ spanId }) => spanId ?? []);
  return { excused: ids(errors.excused), unknown: ids(errors.unknown) };
}
