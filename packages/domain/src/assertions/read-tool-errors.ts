/**
 * Reads tool errors from tool results. A tool span with an error is a protocol error too, unless
 * the result of the same call already reported its failure.
 */

import type { Message } from './message.ts';
import { asRecord } from './read-tool-calls.ts';
import { toolResultError } from './tool-result-error.ts';
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
    const error = toolResultError(part);
    if (error === undefined) continue;
    errors.push(toolError(error.kind, part.toolName, error.message));
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

function toolError(kind: ToolErrorKind, toolName: unknown, message: unknown): ToolError {
  return {
    ...(typeof toolName === 'string' ? { toolName } : {}),
    kind,
    ...(typeof message === 'string' ? { message } : {}),
  };
}
