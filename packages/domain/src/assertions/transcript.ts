/**
 * The input of assertions: the tool calls of a trial or of one turn, and measurements. A
 * measurement that was not taken is absent, and an assertion that needs it never passes.
 */
export interface Transcript {
  readonly toolCalls: readonly ToolCall[];
  readonly toolErrors?: readonly ToolError[];
  /** Absent if the last assistant message has no text. */
  readonly finalAssistantMessage?: string;
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
  readonly turnCount?: number;
  /** Listed tools of all servers. Absent if any listing is incomplete. */
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
  /** The server's name in the run. Absent if it was not recorded. */
  readonly serverName?: string;
  readonly serverId?: string;
  /**
   * The reason why a call that the model requested never reached a tool. Such a call fulfils no
   * expectation, but assertions that forbid calls count it.
   */
  readonly notMade?: NotMade;
  /**
   * The turn of the call, if the trial has several. For an expected call: the turn in which it is
   * expected (default: any turn).
   */
  readonly promptIndex?: number;
  /** Absent if the result was not captured or the call was not made. */
  readonly result?: CallResult;
  readonly spanId?: string;
  /**
   * Time from sending the request to the answer. Time that the request waited in this service
   * before it was sent is not included.
   */
  readonly latencyMs?: number;
  /**
   * The part of `latencyMs` in which the measuring process was suspended. The answer may already
   * have arrived during that time.
   */
  readonly stillMs?: number;
}

export interface CallResult {
  readonly error?: { readonly kind: ToolErrorKind; readonly message?: string };
  /** Text blocks, joined with line breaks. Absent if there are none. */
  readonly text?: string;
  readonly structuredContent?: unknown;
  /** Size of the result in UTF-8 bytes as the model received it, before any cut. */
  readonly sizeBytes?: number;
  /** Set if the text or the structured content is incomplete. */
  readonly isCut?: true;
}

/**
 * `invalidArguments`: the arguments were no JSON object, so their meaning is unknown. `denied`: a
 * person was asked and declined. `refused`: a policy forbade the call.
 */
export const notMadeReasons = [
  'notOffered',
  'invalidArguments',
  'tooMany',
  'denied',
  'refused',
] as const;
export type NotMade = (typeof notMadeReasons)[number];

/** Without `serverName`, a tool of this name on any server matches. */
export interface NamedTool {
  readonly toolName: string;
  readonly serverName?: string | undefined;
}

/**
 * An unreadable call has no name and matches no tool. A call without a recorded server matches no
 * named server.
 */
export function isCallOf(call: NamedTool, { toolName, serverName }: NamedTool): boolean {
  if (toolName === '' || call.toolName !== toolName) return false;
  return serverName === undefined || call.serverName === serverName;
}

export function callsMadeOf(calls: readonly ToolCall[], tool: NamedTool): readonly ToolCall[] {
  return calls.filter((call) => call.notMade === undefined && isCallOf(call, tool));
}

export interface ExpectedCall extends ToolCall {
  /** Set if the arguments of this call are ignored, regardless of the match options. */
  readonly argumentMatching?: 'ignore';
  /** The required number of calls, if more than one. */
  readonly minCount?: number;
}

/**
 * An expected call for display, with its required number of calls. `argumentMatching` is set if it
 * is not `partial`.
 */
export interface StatedCall extends ToolCall {
  readonly argumentMatching?: 'exact' | 'ignore';
  readonly minCount?: number;
}

/** `content-error`: the tool answered with `isError`. `protocol-error`: the call had no result. */
const toolErrorKinds = ['content-error', 'protocol-error'] as const;
export type ToolErrorKind = (typeof toolErrorKinds)[number];

export interface ToolError {
  readonly toolName?: string;
  readonly kind: ToolErrorKind;
  readonly message?: string;
  /** Set if the call failed on this service's side, so that the tool itself returned nothing. */
  readonly isOurs?: true;
  /** How a successful result violates the tool's own output schema. */
  readonly resultProblem?: string;
  readonly promptIndex?: number;
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
