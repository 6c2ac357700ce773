import { isRecord } from '../kernel/json.ts';

/**
 * Reads a trial's trace as one document, from a list of messages, a document, or text. If a text
 * contains a list or a document as JSON, it is parsed; other text is kept. An empty trace counts as
 * none. The content is stored unchanged, except for the version, which Proofmark sets.
 */

export const traceVersion = 1;

export interface TraceDocument {
  readonly traceVersion: 1;
  readonly messages: readonly unknown[];
  readonly [other: string]: unknown;
}

export function traceDocument(trace: unknown): TraceDocument | undefined {
  if (typeof trace === 'string') return fromText(trace);
  if (Array.isArray(trace))
    return trace.length === 0 ? undefined : { traceVersion, messages: trace };
  if (!isRecord(trace) || Object.keys(trace).length === 0) return undefined;
  const { messages, traceVersion: _theirs, ...rest } = trace;
  if (messages === undefined || Array.isArray(messages)) {
    return { traceVersion, messages: messages ?? [], ...rest };
  }
  return { traceVersion, messages: [], raw: trace };
}

function fromText(text: string): TraceDocument | undefined {
  if (text.trim() === '') return undefined;
  const spelled = parse(text);
  if (Array.isArray(spelled) || isRecord(spelled)) return traceDocument(spelled);
  return { traceVersion, messages: [], raw: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
