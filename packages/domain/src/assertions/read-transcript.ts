/**
 * Reads the transcript of a trial from its trace. What the trace does not show stays absent: without
 * one readable message there is no count of turns and no final text, and without messages or spans
 * nobody knows whether a tool failed.
 */
import type { Message } from './message.ts';
import { asRecord, readToolCalls } from './read-tool-calls.ts';
import { readToolErrors } from './read-tool-errors.ts';
import type { RenderObservation, TokenUsage, ToolCall, Transcript } from './transcript.ts';

export interface TraceParts {
  readonly messages?: unknown;
  readonly spans?: unknown;
}

/** What was recorded apart from the trace. Tool calls given here win over those in messages. */
export interface RecordedParts {
  readonly toolCalls?: readonly ToolCall[];
  readonly usage?: TokenUsage;
  readonly renderObservations?: readonly RenderObservation[];
}

export function readTranscript(trace: TraceParts, recorded: RecordedParts = {}): Transcript {
  const messages = readMessages(trace.messages);
  const spans = Array.isArray(trace.spans) ? trace.spans : [];
  const finalText = finalAssistantText(messages);
  return {
    toolCalls: recorded.toolCalls ?? toolCallsOf(messages),
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

/** Only the last assistant message counts; one that merely calls a tool leaves no final text. */
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

function toolCallsOf(messages: readonly Message[]): ToolCall[] {
  const parts = messages
    .filter((message) => message.role === 'assistant')
    .flatMap((message) => (typeof message.content === 'string' ? [] : message.content));
  return readToolCalls(parts.filter((part) => asRecord(part)?.type === 'tool-call'));
}
