/**
 * Facts from the first connection with a server, so that the next one needs fewer requests: its
 * transport, and whether it knows only the older handshake. Stored by a caller that opens many
 * connections with one server.
 */
import { McpFailure } from './mcp-failure.ts';

export interface ConnectionHints {
  transport?: 'streamable-http' | 'sse';
  isOlder?: boolean;
}

/**
 * Returns whether a failure may mean that the hints are outdated; the connection is then opened
 * again without them.
 */
export function mayHaveChanged(hints: ConnectionHints | undefined, error: unknown): boolean {
  if (hints === undefined || Object.keys(hints).length === 0) return false;
  if (!(error instanceof McpFailure)) return false;
  const { status, mcpErrorCode, reason } = error.details;
  if (mcpErrorCode !== undefined || reason === 'PROTOCOL_VERSION') return true;
  return status === 400 || status === 404 || status === 405;
}
