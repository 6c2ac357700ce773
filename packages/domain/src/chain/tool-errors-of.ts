/** Tool errors in the messages of a trace, each with the span of its call where both name the same call. */

import { toolResultError } from '../assertions/tool-result-error.ts';
import { isRecord } from '../kernel/json.ts';
import { toList } from './loose-values.ts';
import type { ToolErrorEvidence } from './trial-evidence.ts';

export function toolErrorsOf(
  messages: readonly unknown[],
  spans: readonly unknown[] = [],
): readonly ToolErrorEvidence[] {
  const parts = messages.flatMap((message) =>
    isRecord(message) ? toList(message['content']) : [],
  );
  let spanOfCall: ReadonlyMap<unknown, string> | undefined;
  return parts.flatMap((part) => {
    if (!isRecord(part) || part['type'] !== 'tool-result') return [];
    const error = toolResultError(part);
    if (error === undefined) return [];
    const { toolName, toolCallId } = part;
    spanOfCall ??= toolSpans(spans);
    const spanId = spanOfCall.get(toolCallId);
    return [
      {
        kind: error.kind,
        ...(typeof toolName === 'string' ? { toolName } : {}),
        ...(spanId === undefined ? {} : { spanId }),
      },
    ];
  });
}

function toolSpans(spans: readonly unknown[]): ReadonlyMap<unknown, string> {
  const found = new Map<unknown, string>();
  for (const span of spans) {
    if (!isRecord(span) || span['category'] !== 'tool') continue;
    const { id, toolCallId } = span;
    if (typeof id === 'string' && id !== '' && typeof toolCallId === 'string') {
      found.set(toolCallId, id);
    }
  }
  return found;
}
