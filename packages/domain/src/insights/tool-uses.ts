/** Counts the uses of each tool in one trial or session, from the spans of its calls. */
import { isRecord } from '../kernel/json.ts';

/** The calls of one tool in one trial or session. */
export interface ToolUse {
  readonly toolName: string;
  /** The tool's server; absent if it was not recorded. */
  readonly serverId?: string;
  /**
   * The number of calls that failed because of the server, as far as the recorded errors show it.
   */
  readonly errors: number;
  /** The error code of the first failed call, if it had one. */
  readonly errorCode?: string;
  /** The id that the first failed call has in the messages. */
  readonly errorCallId?: string;
  readonly durationsMs: readonly number[];
}

export interface ToolSpan {
  readonly id?: unknown;
  readonly toolCallId?: unknown;
  readonly category: 'tool';
  readonly toolName: string;
  readonly serverId?: unknown;
  readonly status?: unknown;
  readonly startMs?: unknown;
  readonly endMs?: unknown;
  readonly argumentProblem?: unknown;
  readonly mcpErrorOrigin?: unknown;
  readonly mcpErrorCode?: unknown;
}

export function isRecordedToolSpan(span: unknown): span is ToolSpan {
  return isRecord(span) && span['category'] === 'tool' && typeof span['toolName'] === 'string';
}

type GrowingUse = { -readonly [Name in keyof ToolUse]: ToolUse[Name] } & { durationsMs: number[] };

/**
 * Counts uses by spans. A call without a server was answered by the service itself (a skill) if the
 * trial was played by the service or other spans name a server. Returns undefined if no call was
 * recorded as a span.
 */
export function usesBySpans(
  recorded: readonly unknown[],
  wasPlayedHere: boolean,
): ToolUse[] | undefined {
  const spans = recorded.filter(isRecordedToolSpan);
  if (spans.length === 0) return undefined;
  const saysServer = wasPlayedHere || spans.some(({ serverId }) => typeof serverId === 'string');
  const uses = new Map<string, GrowingUse>();
  for (const span of spans) {
    const { toolName, serverId, startMs, endMs } = span;
    if (saysServer && typeof serverId !== 'string') continue;
    const key = JSON.stringify([serverId, toolName]);
    const use = uses.get(key) ?? {
      toolName,
      errors: 0,
      durationsMs: [],
      ...(typeof serverId === 'string' && { serverId }),
    };
    uses.set(key, use);
    if (hasServerFailed(span)) addError(use, span);
    if (typeof startMs === 'number' && typeof endMs === 'number' && endMs >= startMs) {
      use.durationsMs.push(endMs - startMs);
    }
  }
  return [...uses.values()];
}

function addError(use: GrowingUse, { toolCallId, mcpErrorCode }: ToolSpan): void {
  if (use.errors === 0 && typeof toolCallId === 'string') use.errorCallId = toolCallId;
  use.errors += 1;
  if (typeof mcpErrorCode === 'number') use.errorCode ??= String(mcpErrorCode);
}

/**
 * Returns whether the server is at fault for a failed call. It is not if the arguments broke the
 * tool's schema, or if the call was lost on our side.
 */
export function hasServerFailed({ status, argumentProblem, mcpErrorOrigin }: ToolSpan): boolean {
  return status === 'error' && argumentProblem === undefined && mcpErrorOrigin !== 'ours';
}

/** Returns the tools that failed because of their server and later succeeded, each once. */
export function recoveredTools(recorded: readonly unknown[]): string[] {
  const failed = new Set<string>();
  const recovered = new Set<string>();
  for (const span of recorded.filter(isRecordedToolSpan)) {
    const { toolName, serverId, status } = span;
    if (typeof serverId !== 'string') continue;
    const id = toolIdOf({ toolName, serverId });
    if (hasServerFailed(span)) failed.add(id);
    else if (status === 'ok' && failed.has(id)) recovered.add(id);
  }
  return [...recovered];
}

/** Returns an id for a tool: server and name, or the name alone if its server was not recorded. */
export function toolIdOf({ serverId, toolName }: Pick<ToolUse, 'serverId' | 'toolName'>): string {
  return serverId === undefined ? toolName : `${serverId}.${toolName}`;
}
