/** The calls that an assertion looks at: those of a tool, those of a server, or all. */
import { showValue } from './redact.ts';
import { showTool } from './show-tool.ts';
import type { ToolCall } from './transcript.ts';

export interface CallScope {
  readonly toolName?: string | undefined;
  readonly serverName?: string | undefined;
}

/**
 * Returns the calls in scope, including those that were requested and never made: they count
 * wherever calls are unwanted.
 */
export function callsAskedIn(
  calls: readonly ToolCall[],
  { toolName, serverName }: CallScope,
): readonly ToolCall[] {
  return calls.filter(
    (call) =>
      (toolName === undefined || call.toolName === toolName) &&
      (serverName === undefined || call.serverName === serverName),
  );
}

export function callsMadeIn(calls: readonly ToolCall[], scope: CallScope): readonly ToolCall[] {
  return callsAskedIn(calls, scope).filter(({ notMade }) => notMade === undefined);
}

/** Returns the words after "a call" that name the tool or the server, or nothing. */
export function ofScope({ toolName, serverName }: CallScope): string {
  if (toolName !== undefined) return ` of ${showTool({ toolName, serverName })}`;
  return serverName === undefined ? '' : ` of the server ${showValue(serverName)}`;
}

/** Returns the tool of a call for a sentence; the server only if the scope names one. */
export function showCallIn(call: ToolCall, { serverName }: CallScope): string {
  return showTool(serverName === undefined ? { toolName: call.toolName } : call);
}

export function noCallIn(scope: CallScope): string {
  return `There is no call${ofScope(scope)}.`;
}
