/** One session of a journey, running or ended. */
import type {
  AttemptErrorCode,
  Json,
  RefusedCall,
  ScriptedIntent,
  SessionEvidence,
  TokenUsage,
} from '@proofmark/domain';
import type { ToolSurface } from './trial-record.ts';

/** The visible state after a turn. */
export interface SessionProgress {
  readonly trace: Json;
  readonly messageCount: number;
  /** The first message of the user. */
  readonly preview: string | null;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly usage: TokenUsage | null;
  readonly intents: readonly ScriptedIntent[] | null;
}

export interface SessionRecord extends SessionProgress {
  /** Complete and unredacted: the code that stores it must limit and redact it. */
  readonly evidence: SessionEvidence;
  /** A hash of messages, calls and their ends: sessions with equal hashes are copies. */
  readonly transcriptHash: string;
  /** Calls that a policy refused; none reached a server. */
  readonly refusedCalls: readonly RefusedCall[];
  readonly errorCode: AttemptErrorCode | null;
  /** The tools it was offered; null if no list was made. */
  readonly toolSurface: ToolSurface | null;
}
