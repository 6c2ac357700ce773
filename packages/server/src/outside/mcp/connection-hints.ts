/**
 * What the first connection to a server showed: its transport, and whether it supports only the
 * older handshake. With these hints the next connection needs fewer requests. Callers that open
 * many connections store them.
 */
import { McpFailure } from './mcp-failure.ts';

export interface ConnectionHints {
  transport?: 'streamable-http' | 'sse';
  isOlder?: boolean;
  /** Whether the last connection used the older handshake after an answer that was no JSON-RPC error. */
  wasLedBack?: boolean;
}

/**
 * Returns whether the hints may be outdated. The caller then connects a second time without them.
 */
export function mayHaveChanged(hints: ConnectionHints | undefined, error: unknown): boolean {
  if (hints === undefined || Object.keys(hints).length === 0) return false;
  if (!(error instanceof McpFailure)) return false;
  const { status, mcpErrorCode, reason } = error.details;
  if (mcpErrorCode !== undefined || reason === 'PROTOCOL_VERSION') return true;
  return status === 400 || status === 404 || status === 405;
}
