/**
 * A call that got no answer in time while others of ours were with the same server: it may have been slow only because of
 * them, so this is no evidence against it.
 */
import { McpFailure } from '../outside/mcp/mcp-failure.ts';

export function isTimeout(error: unknown): error is McpFailure {
  return error instanceof McpFailure && error.code === 'TIMEOUT';
}

/** The same failure, of a call beside others. */
export function timeoutBesideOtherCalls(failure: McpFailure): McpFailure {
  return withDetails(failure, { wasCrowded: true });
}

export function isCrowdedTimeout(error: unknown): boolean {
  return isTimeout(error) && error.details['wasCrowded'] === true;
}

/** It was to be made once more, alone, and the server was not done with what it had been asked before. */
export function stillBusy(failure: McpFailure): McpFailure {
  return withDetails(failure, { wasCrowded: true, isStillBusy: true });
}

export function isStillBusy(error: unknown): boolean {
  return isTimeout(error) && error.details['isStillBusy'] === true;
}

/** The trial ended before a call could be made once more; the first one was with the server. */
export class EndedBeforeRepeat extends Error {
  override readonly name = 'EndedBeforeRepeat';
}

/** The failure of a call that was made a second time, so long after the first. */
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
