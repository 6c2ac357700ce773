/**
 * Converts a trace to turns of messages and calls. A call and its result are matched by id or,
 * without ids, by order. Spans and server names have no call ids, so they are matched by the order
 * of calls to the same tool.
 */
import { isRecord, type Json, readMessages, readToolCalls, type ToolCall } from '@proofmark/domain';

export interface ConversationTurn {
  /** Index of the turn, from 0, as in checks and evidence. */
  readonly index: number;
  readonly entries: readonly ConversationEntry[];
}

export type ConversationEntry =
  | { readonly kind: 'said'; readonly role: string; readonly text: string }
  | { readonly kind: 'other'; readonly role: string; readonly text: string }
  | CallEntry;

export interface CallEntry {
  readonly kind: 'call';
  readonly name: string;
  readonly input: unknown;
  readonly serverName?: string;
  readonly serverId?: string;
  readonly spanId?: string;
  readonly tookMs?: number;
  /** The task with which the server answered, as the trace states it. */
  readonly task?: unknown;
  /** Absent if the call has no result. */
  readonly result?: CallOutcome;
}

export interface CallOutcome {
  readonly isError: boolean;
  /** Content blocks, if an MCP server answered. */
  readonly blocks?: readonly unknown[];
  readonly value: unknown;
}

interface Given {
  readonly messages: readonly unknown[];
  readonly spans?: unknown;
  /** The list of calls stored with the trial. Unlike the messages, it contains server names. */
  readonly calls?: readonly unknown[];
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the messages that uses up spans, calls and results in their order.
export function readConversation({ messages, spans, calls = [] }: Given): ConversationTurn[] {
  const results = resultsOf(messages);
  const spansOf = byTool(toolSpans(spans), ({ name }) => name);
  const callsOf = byTool(readToolCalls(calls), ({ toolName }) => toolName);
  const turns: { index: number; entries: ConversationEntry[] }[] = [];
  let index = 0;
  const put = (entry: ConversationEntry) => {
    const last = turns.at(-1);
    if (last?.index === index) last.entries.push(entry);
    else turns.push({ index, entries: [entry] });
  };
  for (const [at, { role, parts }] of readMessages(messages).entries()) {
    const isNext = role === 'user' && turns.length > 0;
    if (isNext) index += 1;
    const recorded = partsOf(messages[at]);
    for (const [place, part] of parts.entries()) {
      if (part.kind === 'result') continue;
      if (part.kind !== 'call') {
        put({ kind: part.kind === 'text' ? 'said' : 'other', role, text: part.text });
        continue;
      }
      const name = part.name ?? 'a tool';
      const span = spansOf.get(name)?.shift();
      if (span?.promptIndex !== undefined && span.promptIndex > index) index = span.promptIndex;
      put({
        kind: 'call',
        name,
        input: inputOf(recorded[place]),
        ...serverOf(callsOf.get(name)?.shift()),
        ...(span !== undefined && { spanId: span.id, tookMs: span.endMs - span.startMs }),
        ...(span?.task !== undefined && { task: span.task }),
        ...takeResult(results, recorded[place], name),
      });
    }
  }
  return turns;
}

/** Removes and returns the result of a call. Undefined if the call was not answered. */
function takeResult(results: Result[], call: unknown, name: string) {
  const id = isRecord(call) ? call['toolCallId'] : undefined;
  const at = results.findIndex((one) =>
    id === undefined || one.id === undefined ? one.name === name : one.id === id,
  );
  const [found] = at === -1 ? [] : results.splice(at, 1);
  return found === undefined ? {} : { result: found.outcome };
}

interface Result {
  readonly id: unknown;
  readonly name: string;
  readonly outcome: CallOutcome;
}

function resultsOf(messages: readonly unknown[]): Result[] {
  return messages.flatMap(partsOf).flatMap((part) => {
    if (!isRecord(part) || !/tool.?result/i.test(String(part['type']))) return [];
    const { toolCallId: id, toolName, name } = part;
    const given = part['output'] ?? part['result'] ?? part['content'];
    const value = isRecord(given) && 'value' in given && 'type' in given ? given['value'] : given;
    const isErrorType = isRecord(given) && /^error/.test(String(given['type']));
    const answer: Json = isRecord(value) ? value : {};
    const { content } = answer;
    return [
      {
        id,
        name: String(toolName ?? name ?? 'a tool'),
        outcome: {
          value,
          isError: answer['isError'] === true || isErrorType,
          ...(Array.isArray(content) && { blocks: content }),
        },
      },
    ];
  });
}

function partsOf(message: unknown): readonly unknown[] {
  if (!isRecord(message)) return [];
  const { content } = message;
  return Array.isArray(content) ? content : content === undefined ? [message] : [content];
}

function inputOf(part: unknown): unknown {
  if (!isRecord(part)) return undefined;
  return part['input'] ?? part['args'] ?? part['arguments'];
}

function serverOf(call: ToolCall | undefined) {
  return {
    ...(call?.serverName !== undefined && { serverName: call.serverName }),
    ...(call?.serverId !== undefined && { serverId: call.serverId }),
  };
}

interface ToolSpan {
  readonly id: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly promptIndex: number | undefined;
  readonly task: unknown;
}

function toolSpans(spans: unknown): ToolSpan[] {
  return (Array.isArray(spans) ? spans : []).flatMap((span: unknown) => {
    if (!isRecord(span) || span['category'] !== 'tool') return [];
    const { id, toolName, startMs, endMs, promptIndex, task } = span;
    if (typeof id !== 'string' || typeof toolName !== 'string') return [];
    if (typeof startMs !== 'number' || typeof endMs !== 'number') return [];
    const turn = typeof promptIndex === 'number' ? promptIndex : undefined;
    return [{ id, name: toolName, startMs, endMs, promptIndex: turn, task }];
  });
}

function byTool<One>(list: readonly One[], nameOf: (one: One) => string): Map<string, One[]> {
  const found = new Map<string, One[]>();
  for (const one of list) found.set(nameOf(one), [...(found.get(nameOf(one)) ?? []), one]);
  return found;
}
