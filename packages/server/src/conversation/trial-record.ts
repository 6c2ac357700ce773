/** The record of one ended trial. It is stored completely or not at all. */
import type {
  DerivedChain,
  Json,
  RefusedCall,
  Score,
  TaskVerdict,
  TokenUsage,
  TrialEvidence,
  TrialWarning,
} from '@proofmark/domain';
import type { TrialWidgets } from './trial-widgets.ts';

export interface TrialRecord {
  readonly status: 'completed' | 'failed' | 'setup_failed' | 'timed_out' | 'skipped';
  readonly result: TaskVerdict | null;
  readonly evaluatorError: boolean;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly usage: TokenUsage | null;
  readonly tokensUsed: number | null;
  readonly expectedToolCalls: readonly Json[];
  readonly actualToolCalls: readonly Json[];
  /** Why the trial failed or could not be graded, as a sentence for people, without secrets. */
  readonly error: string | null;
  /** The scores of the case's scorers; null if the trial was not graded. */
  readonly scores: readonly Score[] | null;
  readonly chain: DerivedChain;
  /**
   * The data from which the chain was derived. It is stored so that a judge's result can be added
   * later.
   */
  readonly evidence: TrialEvidence;
  /** The calls that were not sent because a policy refused them. */
  readonly refusedCalls: readonly RefusedCall[];
  /** Notes that do not affect the trial's result. */
  readonly warnings: readonly TrialWarning[];
  /**
   * The trace. It always has `traceVersion`, `messages`, `spans`, `prompts`, `steps` and
   * `toolSurface`; `before` and `after` if the case has them; `serverRequests` and `samplingUsage`
   * if servers sent requests; `events` and `eventsDropped` if servers sent other messages.
   */
  readonly trace: Json;
  /** The recorded widgets; null if the case has none. */
  readonly widgets: TrialWidgets | null;
  /** The tools that the servers listed; null if they could not all be listed. */
  readonly toolSurface: ToolSurface | null;
}

export interface ToolSurface {
  /** The SHA-256 of `text`, in lower-case hexadecimal. */
  readonly hash: string;
  /** The canonical tools by server id, as one canonical JSON text. */
  readonly text: string;
}
