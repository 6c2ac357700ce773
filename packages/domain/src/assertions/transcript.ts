/**
 * What assertions look at: the tool calls of a trial or of one turn, and what was measured beside
 * them. A measurement that was not taken is absent, and an assertion that needs it fails.
 */
export interface Transcript {
  readonly toolCalls: readonly ToolCall[];
  readonly toolErrors?: readonly ToolError[];
  /** The text of the last assistant message. Absent when that message holds no text. */
  readonly finalAssistantMessage?: string;
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
  readonly turnCount?: number;
  /** Of every server, as listed. Absent where a list is not known whole. */
  readonly listedTools?: readonly ListedTool[];
}

/** A tool as its server listed it, whole. */
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
  /** Whose tool it is, as the server was called in the run; absent where nobody recorded it. */
  readonly serverName?: string;
  readonly serverId?: string;
  /**
   * Why a call that the model asked for never reached a tool. It satisfies nothing, and still counts wherever calls are
   * unwanted: the model did try.
   */
  readonly notMade?: NotMade;
  /**
   * Its turn, in the record of a trial with several. Of an expected call: the turn it is expected in; one without is
   * expected in any.
   */
  readonly promptIndex?: number;
  /** Absent where it was not captured, and where the call was not made. */
  readonly result?: CallResult;
  /** Of the call in the trace, where one was kept. */
  readonly spanId?: string;
  /** From sending to the answer, without our own waiting. */
  readonly latencyMs?: number;
  /** How much of that the process which measured it stood still, so that the answer may have lain unread. */
  readonly stillMs?: number;
}

/** What came back of a call. */
export interface CallResult {
  /** Absent where the call succeeded. */
  readonly error?: { readonly kind: ToolErrorKind; readonly message?: string };
  /** The text blocks, one after the other on lines of their own. Absent where there is none. */
  readonly text?: string;
  readonly structuredContent?: unknown;
  /** UTF-8 bytes of what the model was given, before any cut. */
  readonly sizeBytes?: number;
  /** Text or structured content are not whole here. */
  readonly isCut?: true;
}

/**
 * `invalidArguments`: they were no JSON object, so there is no telling what was meant. `denied`: by the person who was
 * asked. `refused`: by a policy.
 */
export const notMadeReasons = [
  'notOffered',
  'invalidArguments',
  'tooMany',
  'denied',
  'refused',
] as const;
export type NotMade = (typeof notMadeReasons)[number];

/** A tool as it is named by whoever asks for it: that of any server, unless one is named. */
export interface NamedTool {
  readonly toolName: string;
  readonly serverName?: string | undefined;
}

/** A call without a name was recorded unreadably, and one without a server is no call to a named one. */
export function isCallOf(call: NamedTool, { toolName, serverName }: NamedTool): boolean {
  if (toolName === '' || call.toolName !== toolName) return false;
  return serverName === undefined || call.serverName === serverName;
}

export function callsMadeOf(calls: readonly ToolCall[], tool: NamedTool): readonly ToolCall[] {
  return calls.filter((call) => call.notMade === undefined && isCallOf(call, tool));
}

export interface ExpectedCall extends ToolCall {
  /** This call is expected with whatever arguments, also where the match options mind them. */
  readonly argumentMatching?: 'ignore';
  /** How often it is to be made, where more than once. */
  readonly minCount?: number;
}

/** An expected call as it is told: how its arguments are compared where not in part, and how often it is to be made. */
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
  /** Our own side lost the call, so the tool itself said nothing. */
  readonly isOurs?: true;
  /** How a result that says no error breaks the tool's own output schema. */
  readonly resultProblem?: string;
  readonly promptIndex?: number;
  /** Of its call. */
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
