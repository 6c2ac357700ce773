/**
 * Tool errors in the messages of a trace. A tool result with an error of its own, or with an output
 * of type `error-text`, never was a result of the protocol. One that says `isError` came from the
 * server.
 */
import { isRecord, toList } from './loose-values.ts';
import type { ToolErrorEvidence } from './trial-evidence.ts';

export function toolErrorsOf(messages: readonly unknown[]): readonly ToolErrorEvidence[] {
  return messages
    .flatMap((message) => (isRecord(message) ? toList(message['content']) : []))
    .flatMap((part) => {
      const kind = isRecord(part) && part['type'] === 'tool-result' ? classify(part) : undefined;
      if (kind === undefined) return [];
      const toolName = (part as Part)['toolName'];
      return [{ kind, ...(typeof toolName === 'string' ? { toolName } : {}) }];
    });
}

type Part = Readonly<Record<string, unknown>>;

function classify(part: Part): ToolErrorEvidence['kind'] | undefined {
  const { error, output, result } = part;
  const isUnanswered =
    isText(error) ||
    (isRecord(error) && isText(error['message'])) ||
    (isRecord(output) && output['type'] === 'error-text');
  if (isUnanswered) return 'protocol-error';
  const unwrapped = isRecord(output) ? output['value'] : undefined;
  return [part, result, output, unwrapped].some(saysError) ? 'content-error' : undefined;
}

function saysError(value: unknown): boolean {
  return isRecord(value) && value['isError'] === true;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
