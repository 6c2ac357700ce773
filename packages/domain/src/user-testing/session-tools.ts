/**
 * The use of each tool in one session. It is counted once, when the session ends, so that the trace
 * need not be read again.
 */
import { isRecordedToolSpan, toolIdOf } from '../insights/tool-uses.ts';
import type { SessionEvidence } from '../swarms/session-evidence.ts';
import { type MadeCall, madeCallsOf } from './visit-evidence.ts';

export interface ToolOfSession {
  readonly toolName: string;
  readonly serverId?: string;
  readonly serverName?: string;
  readonly calls: number;
  readonly errors: number;
  readonly durationsMs: readonly number[];
}

export function toolsOfSession(
  evidence: SessionEvidence | undefined,
  spans: readonly unknown[] = [],
): ToolOfSession[] {
  const tools = new Map<string, Growing>();
  for (const call of evidence === undefined ? [] : timedCallsOf(evidence, spans)) {
    const { toolName, serverId, serverName, durationMs, hasFailed } = call;
    const id = toolIdOf({ toolName, ...(serverId !== undefined && { serverId }) });
    const tool = tools.get(id) ?? {
      toolName,
      calls: 0,
      errors: 0,
      durationsMs: [],
      ...(serverId !== undefined && { serverId }),
      ...(serverName !== undefined && { serverName }),
    };
    tools.set(id, tool);
    tool.calls += 1;
    if (hasFailed) tool.errors += 1;
    if (durationMs !== undefined) tool.durationsMs.push(durationMs);
  }
  return [...tools.values()];
}

export function timedCallsOf(
  evidence: SessionEvidence,
  spans: readonly unknown[],
): (MadeCall & { readonly durationMs?: number })[] {
  const durations = durationsOf(spans);
  return madeCallsOf(evidence).map((call) => {
    const durationMs = durations.get(call.spanId ?? '');
    return durationMs === undefined ? call : { ...call, durationMs };
  });
}

type Growing = { -readonly [Name in keyof ToolOfSession]: ToolOfSession[Name] } & {
  durationsMs: number[];
};

function durationsOf(spans: readonly unknown[]): Map<string, number> {
  const durations = new Map<string, number>();
  for (const { id, startMs, endMs } of spans.filter(isRecordedToolSpan)) {
    if (typeof id !== 'string' || typeof startMs !== 'number' || typeof endMs !== 'number')
      continue;
    if (endMs >= startMs) durations.set(id, endMs - startMs);
  }
  return durations;
}
