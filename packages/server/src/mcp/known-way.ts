/**
 * What one connection with a server taught that makes the next one cheaper: over which transport it speaks, and that it
 * knows only the older handshake, so that it need not be asked again. Kept by whoever opens many.
 */
import { McpFailure } from './mcp-failure.ts';

export interface KnownWay {
  transport?: 'streamable-http' | 'sse';
  isOlder?: boolean;
}

/** Whether a failure on the known way may mean that the server speaks otherwise by now; then everything is tried anew. */
export function mayHaveChanged(known: KnownWay | undefined, error: unknown): boolean {
  if (known === undefined || Object.keys(known).length === 0) return false;
  if (!(error instanceof McpFailure)) return false;
  const { status, mcpErrorCode, reason } = error.details;
  if (mcpErrorCode !== undefined || reason === 'PROTOCOL_VERSION') return true;
  return status === 400 || status === 404 || status === 405;
}
