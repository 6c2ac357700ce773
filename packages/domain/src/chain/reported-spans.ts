/** A span without an id or a category is passed over, and so is any other member of a wrong kind. */
import { isRecord, toIndex } from './loose-values.ts';
import type { SpanEvidence } from './trial-evidence.ts';

export function readSpans(spans: readonly unknown[]): readonly SpanEvidence[] {
  return spans.flatMap((span) => {
    if (!isRecord(span)) return [];
    const { id, category, status, toolName, mcpErrorCode } = span;
    if (typeof id !== 'string' || id === '' || typeof category !== 'string') return [];
    const promptIndex = toIndex(span['promptIndex']);
    return [
      {
        id,
        category,
        ...(status === 'ok' || status === 'error' ? { status } : {}),
        ...(typeof toolName === 'string' ? { toolName } : {}),
        ...(promptIndex === undefined ? {} : { promptIndex }),
        ...(isErrorCode(mcpErrorCode) ? { mcpErrorCode } : {}),
      },
    ];
  });
}

function isErrorCode(code: unknown): code is number {
  return Number.isSafeInteger(code);
}
