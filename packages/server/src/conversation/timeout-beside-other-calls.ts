/**
 * Timeouts of calls that ran while Proofmark made other calls to the same server. Such a call may
 * have been slow only because of the other calls, so its timeout is no evidence against the server.
 */
import { McpFailure } from '../outside/mcp/mcp-failure.ts';

export function isTimeout(error: unknown): error is McpFailure {
  return error instanceof McpFailure && error.code === 'TIMEOUT';
}

export function timeoutBesideOtherCalls(failure: McpFailure): McpFailure {
  return withDetails(failure, { wasCrowded: true });
}

export function isCrowdedTimeout(error: unknown): boolean {
  return isTimeout(error) && error.details['wasCrowded'] === true;
}

/**
 * The failure of a timed-out call that was not repeated, because the server was still busy with
 * earlier calls.
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
