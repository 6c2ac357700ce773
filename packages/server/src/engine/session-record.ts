/** One session of a journey as it stands, or as it ended. */
import type {
  AttemptErrorCode,
  Json,
  ScriptedIntent,
  SessionEvidence,
  TokenUsage,
} from '@proofmark/domain';

/** After a turn: what can be watched. */
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
  readonly evidence: SessionEvidence;
  /** The words alone: sessions with equal ones are copies. */
  readonly transcriptHash: string;
  readonly errorCode: AttemptErrorCode | null;
}
