/** Tool errors in the messages of a trace. */
import { toolResultError } from '../assertions/tool-result-error.ts';
import { isRecord, toList } from './loose-values.ts';
import type { ToolErrorEvidence } from './trial-evidence.ts';

export function toolErrorsOf(messages: readonly unknown[]): readonly ToolErrorEvidence[] {
  return messages
    .flatMap((message) => (isRecord(message) ? toList(message['content']) : []))
    .flatMap((part) => {
      const error =
        isRecord(part) && part['type'] === 'tool-result' ? toolResultError(part) : undefined;
      if (error === undefined) return [];
      const { toolName } = part as { toolName?: unknown };
      return [{ kind: error.kind, ...(typeof toolName === 'string' ? { toolName } : {}) }];
    });
}
