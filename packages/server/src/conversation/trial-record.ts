/** One trial as it ended: what is written, whole or not at all. */
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
  /** One sentence for people; holds no secret. */
  readonly error: string | null;
  /** By the scorers of its case; null where the trial was not graded. */
  readonly scores: readonly Score[] | null;
  readonly chain: DerivedChain;
  /** What the chain was derived from, so that a judge's word can be added later. */
  readonly evidence: TrialEvidence;
  /** Calls that a policy refused, of whatever kind; none of them was sent. */
  readonly refusedCalls: readonly RefusedCall[];
  /** What is to be known of the trial beside its result. */
  readonly warnings: readonly TrialWarning[];
  /** `traceVersion`, `messages`, `spans`, `prompts`, `steps`, `toolSurface`; `before` and `after` where the case has them, `serverRequests` and `samplingUsage` where servers asked, `events` and `eventsDropped` where they said something else. */
  readonly trace: Json;
  /** Null where the case concerns none. */
  readonly widgets: TrialWidgets | null;
  /** The tools that were offered; null when there was no list. */
  readonly toolSurface: ToolSurface | null;
}

export interface ToolSurface {
  /** SHA-256 of the text, lower hex. */
  readonly hash: string;
  /** Server id → its canonical tools, as one canonical JSON text. */
  readonly text: string;
}
