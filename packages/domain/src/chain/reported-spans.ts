/** Skips spans without an id or a category, and drops fields of a wrong type. */
import { isRecord } from '../kernel/json.ts';
import { toIndex } from './loose-values.ts';
import { mcpErrorOrigins, type SpanEvidence } from './trial-evidence.ts';

export function readSpans(spans: readonly unknown[]): readonly SpanEvidence[] {
  return spans.flatMap((span) => readSpan(span) ?? []);
}

function readSpan(span: unknown): SpanEvidence | undefined {
  if (!isRecord(span)) return undefined;
  const { id, category, status, toolName, mcpErrorCode, mcpErrorOrigin } = span;
  if (typeof id !== 'string' || id === '' || typeof category !== 'string') return undefined;
  const promptIndex = toIndex(span['promptIndex']);
  const origin = mcpErrorOrigins.find((one) => one === mcpErrorOrigin);
  return {
    id,
    category,
    ...((status === 'ok' || status === 'error') && { status }),
    ...(typeof toolName === 'string' && { toolName }),
    ...(promptIndex !== undefined && { promptIndex }),
    ...(isErrorCode(mcpErrorCode) && {
      mcpErrorCode,
      ...(origin !== undefined && { mcpErrorOrigin: origin }),
    }),
  };
}

function isErrorCode(code: unknown): code is number {
  return Number.isSafeInteger(code);
}
