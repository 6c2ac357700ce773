import type { McpFailure } from './mcp-failure.ts';

/** Returns whether the server only asks for a later call, and so has not executed this one. */
export function asksToWait({ details }: McpFailure): boolean {
  const { status, retryAfterSeconds: after, isBegun } = details;
  if (isBegun === true) return false;
  return status === 429 || (status === 503 && after !== undefined);
}
