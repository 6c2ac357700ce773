/** Which calls an assertion looks at: those of a tool, of a server, or all. */
import { showValue } from './redact.ts';
import { showTool } from './show-tool.ts';
import type { ToolCall } from './transcript.ts';

export interface CallScope {
  readonly toolName?: string | undefined;
  readonly serverName?: string | undefined;
}

/** Also what was asked for and never made: wherever calls are unwanted, it counts. */
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

/** After "a call": nothing, or of which tool or server. */
export function ofScope({ toolName, serverName }: CallScope): string {
  if (toolName !== undefined) return ` of ${showTool({ toolName, serverName })}`;
  return serverName === undefined ? '' : ` of the server ${showValue(serverName)}`;
}

/** A call in a sentence, by its tool; the server only where the scope names one. */
export function showCallIn(call: ToolCall, { serverName }: CallScope): string {
  return showTool(serverName === undefined ? { toolName: call.toolName } : call);
}

export function noCallIn(scope: CallScope): string {
  return `There is no call${ofScope(scope)}.`;
}
