/**
 * Reads a trial's transcript from its trace. Measurements that the trace does not contain stay
 * absent. Without a readable message, the transcript has no turn count and no final text. Without
 * messages or spans, it is unknown whether a tool failed.
 */
import type { Message } from './message.ts';
import { withResults } from './read-call-results.ts';
import { asRecord, readToolCalls } from './read-tool-calls.ts';
import { toolResultError } from './tool-result-error.ts';
import type {
  RenderObservation,
  TokenUsage,
  ToolCall,
  ToolError,
  ToolErrorKind,
  Transcript,
} from './transcript.ts';

export interface TraceParts {
  readonly messages?: unknown;
  readonly spans?: unknown;
}

/**
 * Data recorded separately from the trace. `toolCalls` replaces the calls in the messages. The
 * results of these calls are known only if the messages contain the same calls in the same order.
 */
export interface RecordedParts {
  readonly toolCalls?: readonly ToolCall[];
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
}

export function readTranscript(trace: TraceParts, recorded: RecordedParts = {}): Transcript {
  const messages = readMessages(trace.messages);
  const spans = Array.isArray(trace.spans) ? trace.spans : [];
  const finalText = finalAssistantText(messages);
  const inMessages = toolCallsOf(messages, spans);
  return {
    toolCalls: answered(recorded.toolCalls, inMessages) ?? inMessages,
    ...(messages.length + spans.length === 0
      ? {}
      : { toolErrors: readToolErrors(messages, spans) }),
    ...(finalText === undefined ? {} : { finalAssistantMessage: finalText }),
    ...(recorded.usage === undefined ? {} : { usage: recorded.usage }),
    ...(recorded.renderObservations === undefined
      ? {}
      : { renderObservations: recorded.renderObservations }),
    ...(messages.length === 0
      ? {}
      : { turnCount: messages.filter((message) => message.role === 'user').length }),
  };
}

function readMessages(stored: unknown): Message[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown) => {
    const { role, content } = asRecord(entry) ?? {};
    const readable =
      typeof role === 'string' && (typeof content === 'string' || Array.isArray(content));
    return readable ? [{ role, content }] : [];
  });
}

/** Returns undefined if the last assistant message only calls a tool. */
function finalAssistantText(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last === undefined) return undefined;
  const text =
    typeof last.content === 'string'
      ? last.content
      : last.content.map((part) => textOf(asRecord(part))).join('');
  return text === '' ? undefined : text;
}

function textOf(part: Readonly<Record<string, unknown>> | undefined): string {
  return part?.type === 'text' && typeof part.text === 'string' ? part.text : '';
}

function toolCallsOf(messages: readonly Message[], spans: readonly unknown[]): ToolCall[] {
  const parts = messages
    .filter((message) => message.role === 'assistant')
    .flatMap((message) => (typeof message.content === 'string' ? [] : message.content))
    .filter((part) => asRecord(part)?.type === 'tool-call');
  const calls = readToolCalls(parts).map((call, index) => ({ part: parts[index], call }));
  return withResults(calls, messages, spans);
}

function answered(
  recorded: readonly ToolCall[] | undefined,
  inMessages: readonly ToolCall[],
): readonly ToolCall[] | undefined {
  const isSame =
    recorded?.length === inMessages.length &&
    recorded.every(({ toolName }, index) => toolName === inMessages[index]?.toolName);
  if (!isSame) return recorded;
  return recorded.map((call, index) => {
    const { result, latencyMs } = inMessages[index] ?? {};
    return {
      ...(result !== undefined && { result }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...call,
    };
  });
}

/**
 * Reads tool errors from tool results and tool spans. A span with an error is a protocol error,
 * unless the result of the same call already reported its failure.
 */
function readToolErrors(messages: readonly Message[], spans: readonly unknown[]): ToolError[] {
  const errors: ToolError[] = [];
  const recordedCallIds = new Set<unknown>();
  for (const stored of messages.flatMap((message) => [...partsOf(message)])) {
    const part = asRecord(stored);
    if (part?.type !== 'tool-result') continue;
    const error = toolResultError(part);
    if (error === undefined) continue;
    errors.push(toolError(error.kind, part.toolName, error.message));
    if (part.toolCallId !== undefined) recordedCallIds.add(part.toolCallId);
  }
  for (const stored of spans) {
    const span = asRecord(stored);
    if (
      span?.category !== 'tool' ||
      span.status !== 'error' ||
      recordedCallIds.has(span.toolCallId)
    )
      continue;
    errors.push(toolError('protocol-error', span.toolName, undefined));
  }
  return errors;
}

function partsOf(message: Message): readonly unknown[] {
  return typeof message.content === 'string' ? [] : message.content;
}

function toolError(kind: ToolErrorKind, toolName: unknown, message: unknown): ToolError {
  return {
    ...(typeof toolName === 'string' ? { toolName } : {}),
    kind,
    ...(typeof message === 'string' ? { message } : {}),
  };
}
