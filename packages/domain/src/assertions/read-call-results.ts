/**
 * Reads the results of calls from a trace. A result belongs to the call with the same id, and a
 * span with that id provides the call's duration. If two calls have the same id, the first result
 * belongs to the first call. An assertion that needs an unreadable result has no answer.
 */
import type { Json } from '../kernel/json.ts';
import type { Message } from './message.ts';
import { asRecord } from './read-tool-calls.ts';
import { toolResultError } from './tool-result-error.ts';
import type { CallResult, ToolCall } from './transcript.ts';

/** `calls` contains the calls in the messages in order, each with its message part. */
export function withResults(
  calls: readonly { readonly part: unknown; readonly call: ToolCall }[],
  messages: readonly Message[],
  spans: readonly unknown[],
): ToolCall[] {
  const results = byCall(partsOf(messages), (part) =>
    part['type'] === 'tool-result' ? readResult(part) : undefined,
  );
  const latencies = byCall(spans, (span) =>
    span['category'] === 'tool' ? readLatency(span) : undefined,
  );
  return calls.map(({ part, call }) => {
    const id = asRecord(part)?.['toolCallId'];
    const result = results.get(id)?.shift();
    const latencyMs = latencies.get(id)?.shift();
    return {
      ...call,
      ...(result !== undefined && { result }),
      ...(latencyMs !== undefined && { latencyMs }),
    };
  });
}

function byCall<Found>(
  parts: readonly unknown[],
  read: (part: Json) => Found | undefined,
): Map<unknown, Found[]> {
  const found = new Map<unknown, Found[]>();
  for (const stored of parts) {
    const part = asRecord(stored);
    const id = part?.['toolCallId'];
    const one = part === undefined || typeof id !== 'string' ? undefined : read(part);
    if (one !== undefined) found.set(id, [...(found.get(id) ?? []), one]);
  }
  return found;
}

function partsOf(messages: readonly Message[]): unknown[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
}

/** A call that failed on this service's side (`ours`) has no latency, however long it took. */
function readLatency({ startMs, endMs, mcpErrorOrigin }: Json): number | undefined {
  const isTimed =
    mcpErrorOrigin !== 'ours' &&
    typeof startMs === 'number' &&
    typeof endMs === 'number' &&
    Number.isFinite(startMs) &&
    Number.isFinite(endMs) &&
    endMs >= startMs;
  return isTimed ? endMs - startMs : undefined;
}

/** Returns undefined if the part contains neither a result of the call nor its failure. */
export function readResult(part: Json): CallResult | undefined {
  const toolError = toolResultError(part);
  const output = asRecord(part['output']);
  const value =
    output === undefined ? (part['result'] ?? part['output']) : (output['value'] ?? output);
  const isThrown = toolError?.kind === 'protocol-error';
  const content = isThrown ? {} : contentOf(value);
  if (
    toolError === undefined &&
    content.text === undefined &&
    content.structuredContent === undefined
  ) {
    return undefined;
  }
  const message = toolError?.message ?? content.text;
  const given = isThrown ? toolError.message : givenText(content);
  return {
    ...(toolError !== undefined && {
      error: { kind: toolError.kind, ...(message !== undefined && { message }) },
    }),
    ...content,
    ...(given !== undefined && { sizeBytes: utf8Length(given) }),
  };
}

interface Content {
  readonly text?: string;
  readonly structuredContent?: unknown;
}

function contentOf(value: unknown): Content {
  if (typeof value === 'string') return { text: value };
  if (value === undefined || value === null) return {};
  const result = asRecord(value);
  const blocks = result?.['content'];
  if (!Array.isArray(blocks)) {
    const isBare = result !== undefined && Object.keys(result).every((key) => key === 'isError');
    return isBare ? {} : { structuredContent: result?.['structuredContent'] ?? value };
  }
  const texts = blocks.flatMap((block: unknown) => {
    const { type, text } = asRecord(block) ?? {};
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  const structuredContent = result?.['structuredContent'];
  return {
    ...(texts.length > 0 && { text: texts.join('\n') }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

function givenText({ text, structuredContent }: Content): string | undefined {
  if (text !== undefined) return text;
  return structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
