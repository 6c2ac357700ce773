/**
 * Which tools failed. A result with an `error`, or an output of type `error-text`, is a protocol
 * error: the call got no correct result. A result marked `isError` is a content error. A tool span
 * in error is a protocol error too, unless the result of the same call already told its failure.
 */
import { asRecord } from './read-tool-calls.ts';
import type { Message } from './read-transcript.ts';
import type { ToolError, ToolErrorKind } from './transcript.ts';

export function readToolErrors(
  messages: readonly Message[],
  spans: readonly unknown[],
): ToolError[] {
  const errors: ToolError[] = [];
  const told = new Set<unknown>();
  for (const stored of messages.flatMap((message) => [...partsOf(message)])) {
    const part = asRecord(stored);
    if (part?.type !== 'tool-result') continue;
    const error = resultError(part);
    if (error === undefined) continue;
    errors.push(error);
    if (part.toolCallId !== undefined) told.add(part.toolCallId);
  }
  for (const stored of spans) {
    const span = asRecord(stored);
    if (span?.category !== 'tool' || span.status !== 'error' || told.has(span.toolCallId)) continue;
    errors.push(toolError('protocol-error', span.toolName, undefined));
  }
  return errors;
}

function partsOf(message: Message): readonly unknown[] {
  return typeof message.content === 'string' ? [] : message.content;
}

function resultError(part: Readonly<Record<string, unknown>>): ToolError | undefined {
  const output = asRecord(part.output);
  const thrown = typeof part.error === 'string' ? part.error : asRecord(part.error)?.message;
  if (typeof thrown === 'string') return toolError('protocol-error', part.toolName, thrown);
  if (output?.type === 'error-text') {
    return toolError('protocol-error', part.toolName, output.value);
  }
  const results = [part, asRecord(part.result), output, asRecord(output?.value)];
  const failed = results.find((result) => result?.isError === true);
  return failed === undefined ? undefined : toolError('content-error', part.toolName, undefined);
}

function toolError(kind: ToolErrorKind, toolName: unknown, message: unknown): ToolError {
  return {
    ...(typeof toolName === 'string' ? { toolName } : {}),
    kind,
    ...(typeof message === 'string' ? { message } : {}),
  };
}
