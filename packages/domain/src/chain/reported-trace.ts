/**
 * Reads the trace of a reported trial (run elsewhere and uploaded): plain text, a list of messages,
 * or an object with messages, spans, turn summaries or raw data. An empty trace counts as none.
 * Only an object with a list of spans shows that the executor records spans.
 */
import { isRecord } from '../kernel/json.ts';
import { toList } from './loose-values.ts';

export interface ReportedTrace {
  readonly isPresent: boolean;
  readonly hasSpanChannel: boolean;
  readonly messages: readonly unknown[];
  readonly spans: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export function openTrace(trace: unknown): ReportedTrace {
  if (!isRecord(trace)) {
    const messages = toList(trace);
    return { ...nothing, isPresent: isFilled(trace), messages };
  }
  return {
    isPresent: ['messages', 'spans', 'prompts', 'raw'].some((part) => isFilled(trace[part])),
    hasSpanChannel: Array.isArray(trace['spans']),
    messages: toList(trace['messages']),
    spans: toList(trace['spans']),
    prompts: toList(trace['prompts']),
  };
}

const nothing = { hasSpanChannel: false, messages: [], spans: [], prompts: [] };

function isFilled(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() !== '';
  if (Array.isArray(part)) return part.length > 0;
  return isRecord(part) && Object.keys(part).length > 0;
}
