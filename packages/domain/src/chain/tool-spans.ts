/**
 * How the spans of tool calls are told apart. The codes for a closed connection and for a request
 * that timed out are raised on our side, so such a span proves nothing about reaching the server.
 */
import type { SpanEvidence } from './trial-evidence.ts';

export function isToolSpan(span: SpanEvidence): boolean {
  return span.category === 'tool';
}

export function isErroredToolSpan(span: SpanEvidence): boolean {
  return isToolSpan(span) && (span.status === 'error' || span.mcpErrorCode !== undefined);
}

export function isTransportLocal(span: SpanEvidence): boolean {
  return span.mcpErrorCode !== undefined && transportLocalCodes.includes(span.mcpErrorCode);
}

const transportLocalCodes: readonly number[] = [-32000, -32001];
