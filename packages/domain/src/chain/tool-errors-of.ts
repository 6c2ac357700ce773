import { toolResultError } from '../assertions/tool-result-error.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { toList } from './loose-values.ts';
import type { ToolErrorEvidence } from './trial-evidence.ts';

export function toolErrorsOf(messages: readonly unknown[]): readonly ToolErrorEvidence[] {
  return errorParts(messages).map(({ part, kind }) => {
    const { toolName } = part;
    return { kind, ...(typeof toolName === 'string' ? { toolName } : {}) };
  });
}

export function errorParts(
  messages: readonly unknown[],
): readonly { readonly part: Json; readonly kind: ToolErrorEvidence['kind'] }[] {
  const parts = messages.flatMap((message) =>
    isRecord(message) ? toList(message['content']) : [],
  );
  return parts.flatMap((part) => {
    if (!isRecord(part) || part['type'] !== 'tool-result') return [];
    const error = toolResultError(part);
    return error === undefined ? [] : [{ part, kind: error.kind }];
  });
}

export function toolSpansByCall(spans: readonly unknown[]): ReadonlyMap<unknown, string> {
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
