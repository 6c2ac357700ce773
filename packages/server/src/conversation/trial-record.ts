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
  /** Null if the trial was not graded. */
  readonly scores: readonly Score[] | null;
  readonly chain: DerivedChain;
  /**
   * The data from which `chain` was derived. It is stored so that a judge's result can be added
   * later.
   */
  readonly evidence: TrialEvidence;
  /** Calls that a policy rejected, so that they were not sent. */
  readonly refusedCalls: readonly RefusedCall[];
  readonly warnings: readonly TrialWarning[];
  /**
   * Always has `traceVersion`, `messages`, `spans`, `prompts`, `steps` and `toolSurface`. Also has
   * `before` and `after` if the case defines them, `serverRequests` and `samplingUsage` if servers
   * sent requests, and `events` and `eventsDropped` if servers sent other messages.
   */
  readonly trace: Json;
  readonly widgets: TrialWidgets | null;
  /** Null if the tools of a server could not be listed. */
  readonly toolSurface: ToolSurface | null;
}

export interface ToolSurface {
  /** SHA-256 of `text` in lower-case hexadecimal. */
  readonly hash: string;
  /** The tools of each server, keyed by server id, as canonical JSON. */
  readonly text: string;
}
