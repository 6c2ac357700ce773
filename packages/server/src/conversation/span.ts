/**
 * An interval in a trial, in milliseconds since the trial's start. It lasts at least one
 * millisecond.
 */
import type { McpErrorOrigin, TaskTrace } from '@proofmark/domain';
import type { FinishReason } from '../outside/model/model-gateway.ts';

export interface Span {
  readonly id: string;
  readonly name: string;
  readonly category: 'step' | 'llm' | 'tool' | 'request' | 'error' | 'connection' | 'discovery';
  readonly startMs: number;
  readonly endMs: number;
  readonly status: 'ok' | 'error';
  readonly parentId?: string;
  readonly promptIndex?: number;
  readonly stepIndex?: number;
  readonly authoredStepId?: string;
  /**
   * Set for set-up calls before the steps and clean-up calls after them. These calls are never
   * graded.
   */
  readonly part?: 'before' | 'after';
  /** The tool whose widget made the request; absent if a model or a step made it. */
  readonly ofWidget?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly serverId?: string;
  readonly serverName?: string;
  readonly modelId?: string;
  readonly provider?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  /** The indexes of the span's first and last message, both inclusive. */
  readonly messageStartIndex?: number;
  readonly messageEndIndex?: number;
  readonly finishReason?: FinishReason;
  readonly responseId?: string;
  /**
   * Set if a timed-out call was repeated with no other Proofmark call to the server in flight: the
   * milliseconds after which the first attempt timed out.
   */
  readonly repeatedAfterMs?: number;
  /** The JSON-RPC error code; set if the call got no result. */
  readonly mcpErrorCode?: number;
  /** `theirs` if the server sent the code, `ours` if Proofmark's transport created it. */
  readonly mcpErrorOrigin?: McpErrorOrigin;
  /** How the arguments break the tool's input schema, regardless of the server's response. */
  readonly argumentProblem?: string;
  /** Set if the server answered the call with a task of the extension. */
  readonly task?: TaskTrace;
  readonly resultProblem?: string;
}

export type SpanDraft = { -readonly [Name in keyof Span]: Span[Name] };

export function spanOver(
  id: string,
  name: string,
  category: Span['category'],
  startMs: number,
  endMs: number,
): SpanDraft {
  const start = Math.max(0, Math.round(startMs));
  const end = Math.max(start + 1, Math.round(endMs));
  return { id, name, category, startMs: start, endMs: end, status: 'ok' };
}
