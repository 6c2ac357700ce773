/**
 * The input of assertions: the tool calls of a trial or of one turn, and measurements. A
 * measurement that was not taken is absent, and an assertion that needs it never passes.
 */
export interface Transcript {
  readonly toolCalls: readonly ToolCall[];
  readonly toolErrors?: readonly ToolError[];
  /** The text of the last assistant message; absent if that message has no text. */
  readonly finalAssistantMessage?: string;
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
  readonly turnCount?: number;
  /** The listed tools of all servers; absent if any listing is not known completely. */
  readonly listedTools?: readonly ListedTool[];
}

/** A tool exactly as its server listed it. */
export interface ListedTool {
  readonly serverName?: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The name that the tool's server has in the run; absent if it was not recorded. */
  readonly serverName?: string;
  readonly serverId?: string;
  /**
   * Set for a call that the model requested but that never reached a tool, with the reason. Such a
   * call fulfils no expectation, but assertions against calls count it.
   */
  readonly notMade?: NotMade;
  /**
   * The turn of the call, if the trial has several. For an expected call: the turn in which it is
   * expected (default: any turn).
   */
  readonly promptIndex?: number;
  /** The result; absent if it was not captured or the call was not made. */
  readonly result?: CallResult;
  /** The id of the call's span in the trace, if one was stored. */
  readonly spanId?: string;
  /** The time from sending the request to the answer, without any waiting on our side before it. */
  readonly latencyMs?: number;
  /**
   * The part of `latencyMs` in which the measuring process stood still. The answer may already have
   * arrived and waited unread.
   */
  readonly stillMs?: number;
}

/** The result of a call. */
export interface CallResult {
  /** The error; absent if the call succeeded. */
  readonly error?: { readonly kind: ToolErrorKind; readonly message?: string };
  /** The text blocks, joined with line breaks; absent if there are none. */
  readonly text?: string;
  readonly structuredContent?: unknown;
  /** The size of the result in UTF-8 bytes as the model got it, before any cut. */
  readonly sizeBytes?: number;
  /** Set if the text or the structured content is incomplete. */
  readonly isCut?: true;
}

/**
 * The reasons why a call was not made. `invalidArguments`: the arguments were not a JSON object, so
 * their meaning is unknown. `denied`: a person was asked and declined. `refused`: a policy forbade
 * the call.
 */
export const notMadeReasons = [
  'notOffered',
  'invalidArguments',
  'tooMany',
  'denied',
  'refused',
] as const;
export type NotMade = (typeof notMadeReasons)[number];

/** A reference to a tool. Without a server, it means the tool of that name on any server. */
export interface NamedTool {
  readonly toolName: string;
  readonly serverName?: string | undefined;
}

/**
 * Returns whether a call is of the named tool. An unreadable call has no name and matches no tool;
 * a call without a recorded server matches no named server.
 */
export function isCallOf(call: NamedTool, { toolName, serverName }: NamedTool): boolean {
  if (toolName === '' || call.toolName !== toolName) return false;
  return serverName === undefined || call.serverName === serverName;
}

export function callsMadeOf(calls: readonly ToolCall[], tool: NamedTool): readonly ToolCall[] {
  return calls.filter((call) => call.notMade === undefined && isCallOf(call, tool));
}

export interface ExpectedCall extends ToolCall {
  /** Set if the arguments of this call are ignored, whatever the match options say. */
  readonly argumentMatching?: 'ignore';
  /** The required number of calls, if more than one. */
  readonly minCount?: number;
}

/**
 * An expected call for display, with its required number of calls, and with its comparison of
 * arguments if that is not `partial`.
 */
export interface StatedCall extends ToolCall {
  readonly argumentMatching?: 'exact' | 'ignore';
  readonly minCount?: number;
}

/** `content-error`: the tool answered with `isError`. `protocol-error`: the call gave no result. */
const toolErrorKinds = ['content-error', 'protocol-error'] as const;
export type ToolErrorKind = (typeof toolErrorKinds)[number];

export interface ToolError {
  readonly toolName?: string;
  readonly kind: ToolErrorKind;
  readonly message?: string;
  /** Set if the call was lost on our side, so that the tool itself returned nothing. */
  readonly isOurs?: true;
  /** The way in which a successful result violates the tool's own output schema. */
  readonly resultProblem?: string;
  readonly promptIndex?: number;
  /** The id of the call's span. */
  readonly spanId?: string;
}

export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}

/** The outcomes of rendering a widget; only `rendered` is a success. */
export const renderStatuses = [
  'rendered',
  'no_ui_resource',
  'resource_read_failed',
  'mount_failed',
  'bridge_timeout',
  'render_error',
  'blank_screenshot',
  'screenshot_failed',
  'browser_unavailable',
] as const;
export type RenderStatus = (typeof renderStatuses)[number];

export interface RenderObservation {
  readonly toolName: string;
  readonly status: RenderStatus;
  readonly elapsedMs?: number;
  readonly consoleErrors?: readonly string[];
}
