/** A duration in a trial, in milliseconds from its start; it always ends after it began. */
import type { McpErrorOrigin } from '@proofmark/domain';
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
  /** Set for a call around the steps, which is never graded. */
  readonly part?: 'before' | 'after';
  /** The tool whose widget made the request, if no model and no step did. */
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
  /** Both inclusive. */
  readonly messageStartIndex?: number;
  readonly messageEndIndex?: number;
  readonly finishReason?: FinishReason;
  readonly responseId?: string;
  /**
   * Set if the call was repeated alone, after it was not answered within this time beside other
   * calls of ours.
   */
  readonly repeatedAfterMs?: number;
  /** Only for a call that got no result. */
  readonly mcpErrorCode?: number;
  /** `theirs`: the server sent the code. `ours`: our transport created it. */
  readonly mcpErrorOrigin?: McpErrorOrigin;
  /** The violation of the tool's input schema by the arguments, whatever the answer was. */
  readonly argumentProblem?: string;
  /** The violation of the tool's output schema by the result. */
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
