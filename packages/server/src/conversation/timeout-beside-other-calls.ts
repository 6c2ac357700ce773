/**
 * Timeouts of calls while other calls of ours ran on the same server. Such a call may have been
 * slow only because of the others, so the timeout is no evidence against the server.
 */
import { McpFailure } from '../outside/mcp/mcp-failure.ts';

export function isTimeout(error: unknown): error is McpFailure {
  return error instanceof McpFailure && error.code === 'TIMEOUT';
}

/** Returns the failure, marked as a timeout beside other calls. */
export function timeoutBesideOtherCalls(failure: McpFailure): McpFailure {
  return withDetails(failure, { wasCrowded: true });
}

export function isCrowdedTimeout(error: unknown): boolean {
  return isTimeout(error) && error.details['wasCrowded'] === true;
}

/**
 * Returns the failure of a call that could not be repeated alone, because the server was still busy
 * with earlier calls.
 */
export function stillBusy(failure: McpFailure): McpFailure {
  return withDetails(failure, { wasCrowded: true, isStillBusy: true });
}

export function isStillBusy(error: unknown): boolean {
  return isTimeout(error) && error.details['isStillBusy'] === true;
}

/**
 * Thrown if the trial ended before a call could be repeated. Its first attempt had reached the
 * server.
 */
export class EndedBeforeRepeat extends Error {
  override readonly name = 'EndedBeforeRepeat';
}

/**
 * Returns the failure of a repeated call, with the milliseconds that the first attempt had waited.
 */
export function afterRepeat(failure: McpFailure, repeatedAfterMs: number): McpFailure {
  return withDetails(failure, { repeatedAfterMs });
}

export function timeoutOf(error: unknown): number {
  const timeoutMs = error instanceof McpFailure ? error.details['timeoutMs'] : undefined;
  return typeof timeoutMs === 'number' ? timeoutMs : 0;
}

function withDetails(failure: McpFailure, more: Readonly<Record<string, unknown>>): McpFailure {
  const { code, message, details, answered, durationMs, stillMs } = failure;
  const same = new McpFailure(code, message, { ...details, ...more }, answered);
  return Object.assign(same, { durationMs, stillMs });
}
