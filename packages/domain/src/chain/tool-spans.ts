/**
 * Classifies the spans of tool calls and their errors. An error code from this service's transport
 * (connection closed or timeout) does not prove that the server was reached. A code that came over
 * the wire is the server's, regardless of its number. If the origin was not recorded, the codes for
 * a closed connection and a timeout count as this service's.
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

/** If the arguments break the tool's own schema, the error answer is not the server's fault. */
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
