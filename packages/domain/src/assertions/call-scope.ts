import { showValue } from './redact.ts';
import { showTool } from './show-tool.ts';
import type { ToolCall } from './transcript.ts';

export interface CallScope {
  readonly toolName?: string | undefined;
  readonly serverName?: string | undefined;
}

/**
 * Includes requested calls that were never made, because assertions that forbid calls count them
 * too.
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

/**
 * Returns " of …" with the tool or server of the scope, to follow the words "a call". Empty if the
 * scope is all calls.
 */
export function ofScope({ toolName, serverName }: CallScope): string {
  if (toolName !== undefined) return ` of ${showTool({ toolName, serverName })}`;
  return serverName === undefined ? '' : ` of the server ${showValue(serverName)}`;
}

export function showCallIn(call: ToolCall, { serverName }: CallScope): string {
  return showTool(serverName === undefined ? { toolName: call.toolName } : call);
}

export function noCallIn(scope: CallScope): string {
  return `There is no call${ofScope(scope)}.`;
}
