import { isRecord } from '../kernel/json.ts';

export interface ToolUse {
  readonly toolName: string;
  /** Absent if the server was not recorded. */
  readonly serverId?: string;
  /** Counts only failures caused by the server, as far as the recorded errors show the cause. */
  readonly errors: number;
  readonly errorCode?: string;
  /** The id of the first failed call in the messages. */
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
 * Returns undefined if no call was recorded as a span. A call without a server counts as answered
 * by the service itself (a skill) in two cases: the service played the trial, or other spans name a
 * server.
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
 * The server is not at fault if the arguments broke the tool's schema, or if the call was lost on
 * Proofmark's side.
 */
export function hasServerFailed({ status, argumentProblem, mcpErrorOrigin }: ToolSpan): boolean {
  return status === 'error' && argumentProblem === undefined && mcpErrorOrigin !== 'ours';
}

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

export function toolIdOf({ serverId, toolName }: Pick<ToolUse, 'serverId' | 'toolName'>): string {
  return serverId === undefined ? toolName : `${serverId}.${toolName}`;
}
