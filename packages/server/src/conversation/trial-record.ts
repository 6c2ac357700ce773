/** One ended trial, which is written as a whole or not at all. */
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
  /** One sentence for people, without secrets. */
  readonly error: string | null;
  /** The scores of the case's scorers; null if the trial was not graded. */
  readonly scores: readonly Score[] | null;
  readonly chain: DerivedChain;
  /** The source of the chain, so that a judgement can be added later. */
  readonly evidence: TrialEvidence;
  /** All calls that a policy refused; none was sent. */
  readonly refusedCalls: readonly RefusedCall[];
  /** Notes about the trial beside its result. */
  readonly warnings: readonly TrialWarning[];
  /**
   * `traceVersion`, `messages`, `spans`, `prompts`, `steps`, `toolSurface`; `before` and `after` if
   * the case has them, `serverRequests` and `samplingUsage` if servers sent requests, `events` and
   * `eventsDropped` if they sent other messages.
   */
  readonly trace: Json;
  /** Null if the case has no widgets. */
  readonly widgets: TrialWidgets | null;
  /** The offered tools; null if there was no list. */
  readonly toolSurface: ToolSurface | null;
}

export interface ToolSurface {
  /** SHA-256 of the text, lower hex. */
  readonly hash: string;
  /** Server id → its canonical tools, as one canonical JSON text. */
  readonly text: string;
}
