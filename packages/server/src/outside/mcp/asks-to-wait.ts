import type { McpFailure } from './mcp-failure.ts';

/** Whether the server only wants to be asked later, and so did nothing yet. */
export function asksToWait({ details }: McpFailure): boolean {
  const { status, retryAfterSeconds: after, isBegun } = details;
  if (isBegun === true) return false;
  return status === 429 || (status === 503 && after !== undefined);
}
