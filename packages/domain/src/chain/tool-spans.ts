/**
 * Classifies the spans of tool calls and their errors. A code that our own transport made, for a
 * closed connection or a timeout, does not prove that the server was reached; a code that came over
 * the wire is the server's, whatever its number. If a span does not name the origin, these two
 * numbers count as the transport's.
 */
import type { SpanEvidence, ToolErrorEvidence } from './trial-evidence.ts';

export function isToolSpan(span: SpanEvidence): boolean {
  return span.category === 'tool';
}

export function isErroredToolSpan(span: SpanEvidence): boolean {
  return isToolSpan(span) && (span.status === 'error' || span.mcpErrorCode !== undefined);
}

export function isTransportLocal({ mcpErrorCode, mcpErrorOrigin }: SpanEvidence): boolean {
  if (mcpErrorCode === undefined) return false;
  return mcpErrorOrigin === undefined
    ? transportLocalCodes.includes(mcpErrorCode)
    : mcpErrorOrigin === 'ours';
}

/**
 * Whether the arguments broke the tool's own schema, so that the error answer is not the server's
 * fault.
 */
export function isOfArguments({ argumentProblem }: ToolErrorEvidence): boolean {
  return argumentProblem !== undefined;
}

export function spansNamed(ids: readonly string[]): readonly { readonly id: string }[] {
  return ids.map((id) => ({ id }));
}

export function errorSpans(errors: readonly ToolErrorEvidence[]) {
  return spansNamed(errors.flatMap(({ spanId }) => spanId ?? []));
}

const transportLocalCodes: readonly number[] = [-32000, -32001];
