/** One session of a journey as it stands, or as it ended. */
import type {
  AttemptErrorCode,
  Json,
  RefusedCall,
  ScriptedIntent,
  SessionEvidence,
  TokenUsage,
} from '@proofmark/domain';
import type { ToolSurface } from './trial-record.ts';

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
  /** Whole, and with every word: whoever keeps it bounds it and takes the secrets out. */
  readonly evidence: SessionEvidence;
  /** Of words, calls and their ends: sessions with equal ones are copies. */
  readonly transcriptHash: string;
  /** Calls that a policy refused; they reached no server. */
  readonly refusedCalls: readonly RefusedCall[];
  readonly errorCode: AttemptErrorCode | null;
  /** The tools it was offered; null where no list was made. */
  readonly toolSurface: ToolSurface | null;
}
