import type {
  AttemptErrorCode,
  Json,
  RefusedCall,
  ScriptedIntent,
  SessionEvidence,
  TokenUsage,
} from '@proofmark/domain';
import type { ToolSurface } from './trial-record.ts';

export interface SessionProgress {
  readonly trace: Json;
  readonly messageCount: number;
  /** The first message of the conversation; null if there is none. */
  readonly preview: string | null;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly usage: TokenUsage | null;
  readonly intents: readonly ScriptedIntent[] | null;
}

export interface SessionRecord extends SessionProgress {
  /** Complete and not redacted: the code that stores it must limit and redact it. */
  readonly evidence: SessionEvidence;
  /**
   * A hash of messages, calls and their outcomes. Sessions with equal hashes count as copies of
   * each other.
   */
  readonly transcriptHash: string;
  /** Calls that a policy rejected, so that they were not sent to a server. */
  readonly refusedCalls: readonly RefusedCall[];
  readonly errorCode: AttemptErrorCode | null;
  /** The tools that the session was offered; null if they could not be listed. */
  readonly toolSurface: ToolSurface | null;
}
