/** A span without an id or a category is passed over, and so is any other member of a wrong kind. */
import { isRecord } from '../kernel/json.ts';
import { toIndex } from './loose-values.ts';
import { mcpErrorOrigins, type SpanEvidence } from './trial-evidence.ts';

export function readSpans(spans: readonly unknown[]): readonly SpanEvidence[] {
  return spans.flatMap((span) => readSpan(span) ?? []);
}

/** Put together field by field, since this runs for every span of every trial and spreading is slow. */
function readSpan(span: unknown): SpanEvidence | undefined {
  if (!isRecord(span)) return undefined;
  const { id, category, status, toolName, mcpErrorCode, mcpErrorOrigin } = span;
  if (typeof id !== 'string' || id === '' || typeof category !== 'string') return undefined;
  const promptIndex = toIndex(span['promptIndex']);
  const read: { -readonly [Name in keyof SpanEvidence]: SpanEvidence[Name] } = { id, category };
  if (status === 'ok' || status === 'error') read.status = status;
  if (typeof toolName === 'string') read.toolName = toolName;
  if (promptIndex !== undefined) read.promptIndex = promptIndex;
  if (!isErrorCode(mcpErrorCode)) return read;
  read.mcpErrorCode = mcpErrorCode;
  const origin = mcpErrorOrigins.find((one) => one === mcpErrorOrigin);
  if (origin !== undefined) read.mcpErrorOrigin = origin;
  return read;
}

function isErrorCode(code: unknown): code is number {
  return Number.isSafeInteger(code);
}
