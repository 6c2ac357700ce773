/**
 * Reads the error of a tool result in a trace. A result with an `error`, or with an output of type
 * `error-text`, is a protocol error. A result marked `isError` is an error from the server.
 */
import { asRecord } from './read-tool-calls.ts';
import type { ToolErrorKind } from './transcript.ts';

export function toolResultError(
  part: Readonly<Record<string, unknown>>,
): { readonly kind: ToolErrorKind; readonly message?: string } | undefined {
  const output = asRecord(part['output']);
  const thrown = asRecord(part['error'])?.['message'] ?? part['error'];
  if (typeof thrown === 'string' && thrown !== '')
    return { kind: 'protocol-error', message: thrown };
  if (output?.['type'] === 'error-text') {
    const text = output['value'];
    return { kind: 'protocol-error', ...(typeof text === 'string' && { message: text }) };
  }
  const results = [part, asRecord(part['result']), output, asRecord(output?.['value'])];
  return results.some((result) => result?.['isError'] === true)
    ? { kind: 'content-error' }
    : undefined;
}
