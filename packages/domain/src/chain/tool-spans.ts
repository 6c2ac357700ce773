/**
 * How the spans of tool calls and their errors are told apart. A code that our own transport made, for a connection that
 * was closed or a request that timed out, proves nothing about reaching the server; one that came over the wire is the
 * server's, whatever its number. Where a span does not say, these two numbers are taken for the transport's.
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

/** The arguments broke the tool's own schema, so the error that answered them is not the server's. */
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
