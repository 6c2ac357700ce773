/** What was done with each tool in one trial or session, by the spans of its calls. */
import { isRecord } from '../kernel/json.ts';

/** The calls of one tool in one trial or session. */
export interface ToolUse {
  readonly toolName: string;
  /** Absent where nobody recorded whose tool it is. */
  readonly serverId?: string;
  /** Calls that failed by the doing of the server, as far as their shape tells. */
  readonly errors: number;
  /** That of the first of them, where it had one. */
  readonly errorCode?: string;
  /** The call that failed first of them, by the name it has among the messages. */
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
 * A call that does not say whose tool it was, was answered by ourselves (a skill): where the trial was played here, and
 * where others of it do say so. Nothing where no call was recorded as a span.
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

/** A server that refuses arguments which break its own schema is right, and a call we lost is no doing of its. */
export function hasServerFailed({ status, argumentProblem, mcpErrorOrigin }: ToolSpan): boolean {
  return status === 'error' && argumentProblem === undefined && mcpErrorOrigin !== 'ours';
}

/** The tools of servers that failed and succeeded later, each once. */
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

/** The name of a tool alone where nobody recorded whose it is. */
export function toolIdOf({ serverId, toolName }: Pick<ToolUse, 'serverId' | 'toolName'>): string {
  return serverId === undefined ? toolName : `${serverId}.${toolName}`;
}
