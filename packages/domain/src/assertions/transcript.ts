/**
 * The input of assertions: the tool calls of a trial or of one turn, and the measurements beside
 * them. A measurement that was not taken is absent, and an assertion that needs it fails.
 */
export interface Transcript {
  readonly toolCalls: readonly ToolCall[];
  readonly toolErrors?: readonly ToolError[];
  /** The text of the last assistant message; absent if that message has no text. */
  readonly finalAssistantMessage?: string;
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
  readonly turnCount?: number;
  /** The listed tools of every server; absent if a listing is not known completely. */
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
  /** The server of the tool, by its name in the run; absent if it was not recorded. */
  readonly serverName?: string;
  readonly serverId?: string;
  /**
   * The reason why a call that the model requested never reached a tool. Such a call satisfies
   * nothing, but counts wherever calls are unwanted.
   */
  readonly notMade?: NotMade;
  /**
   * The turn of the call, in a trial with several. For an expected call, the turn in which it is
   * expected; without it, any turn.
   */
  readonly promptIndex?: number;
  /** Absent if it was not captured or the call was not made. */
  readonly result?: CallResult;
  /** The span of the call in the trace, if one was kept. */
  readonly spanId?: string;
  /** The time from sending to the answer, without waiting on our side. */
  readonly latencyMs?: number;
  /**
   * The part of that time in which the measuring process stood still; the answer may have waited
   * unread.
   */
  readonly stillMs?: number;
}

/** The result of a call. */
export interface CallResult {
  /** Absent if the call succeeded. */
  readonly error?: { readonly kind: ToolErrorKind; readonly message?: string };
  /** The text blocks, joined by line breaks; absent if there are none. */
  readonly text?: string;
  readonly structuredContent?: unknown;
  /** UTF-8 bytes of the result as the model got it, before any cut. */
  readonly sizeBytes?: number;
  /** Text or structured content is incomplete. */
  readonly isCut?: true;
}

/**
 * `invalidArguments`: the arguments were no JSON object, so their meaning is unknown. `denied`: by
 * the person who was asked. `refused`: by a policy.
 */
export const notMadeReasons = [
  'notOffered',
  'invalidArguments',
  'tooMany',
  'denied',
  'refused',
] as const;
export type NotMade = (typeof notMadeReasons)[number];

/** A reference to a tool; without a server, to that tool of any server. */
export interface NamedTool {
  readonly toolName: string;
  readonly serverName?: string | undefined;
}

/**
 * Whether a call is of the named tool. A call without a name was unreadable, and a call without a
 * server matches no named server.
 */
export function isCallOf(call: NamedTool, { toolName, serverName }: NamedTool): boolean {
  if (toolName === '' || call.toolName !== toolName) return false;
  return serverName === undefined || call.serverName === serverName;
}

export function callsMadeOf(calls: readonly ToolCall[], tool: NamedTool): readonly ToolCall[] {
  return calls.filter((call) => call.notMade === undefined && isCallOf(call, tool));
}

export interface ExpectedCall extends ToolCall {
  /** Arguments of this call are ignored, whatever the match options say. */
  readonly argumentMatching?: 'ignore';
  /** The required number of calls, if more than one. */
  readonly minCount?: number;
}

/**
 * An expected call for display: with its comparison of arguments if it is not `partial`, and its
 * required number of calls.
 */
export interface StatedCall extends ToolCall {
  readonly argumentMatching?: 'exact' | 'ignore';
  readonly minCount?: number;
}

/** `content-error`: the tool answered with `isError`. `protocol-error`: it gave no result at all. */
const toolErrorKinds = ['content-error', 'protocol-error'] as const;
export type ToolErrorKind = (typeof toolErrorKinds)[number];

export interface ToolError {
  readonly toolName?: string;
  readonly kind: ToolErrorKind;
  readonly message?: string;
  /** The call was lost on our side, so the tool itself returned nothing. */
  readonly isOurs?: true;
  /** How a successful result breaks the tool's own output schema. */
  readonly resultProblem?: string;
  readonly promptIndex?: number;
  /** The span of its call. */
  readonly spanId?: string;
}

export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}

/** Only `rendered` is a success. */
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
