import type { StoredChain, TokenUsage, VisitorMessage, VisitorTurnStatus } from '@proofmark/domain';

export interface StoredVisitorSession {
  readonly id: string;
  readonly projectId: string;
  readonly scenarioId: string;
  /** The environment of the session's first turn. */
  readonly environmentId: string | null;
  readonly visitorId: string | null;
  readonly accountId: string | null;
  readonly memberId: string | null;
  readonly grantId: string;
  readonly isPreview: boolean;
  readonly status: 'active' | 'ended';
  readonly endedBy: 'visitor' | 'idle' | 'closed' | null;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  readonly settledAt: Date | null;
  readonly authType: 'signedIn' | 'guest';
  readonly recency: 'new' | 'returning';
  readonly displayName: string | null;
  readonly visitorHash: string;
  readonly deviceKind: string | null;
  readonly language: string | null;
  readonly consentVersion: string;
  readonly consentedAt: Date;
  readonly modelId: string | null;
  readonly messageCount: number;
  readonly preview: string | null;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly authInterrupted: boolean;
  readonly usage: TokenUsage | null;
  readonly outcome: string | null;
  /** The stored stages of the session with their results, not yet validated. */
  readonly chain: StoredChain | undefined;
}

export interface StoredVisitorTurn {
  readonly id: string;
  readonly sessionId: string;
  readonly ordinal: number;
  readonly clientTurnId: string;
  readonly status: VisitorTurnStatus;
  readonly text: string;
  readonly environmentId: string;
  readonly modelId: string;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly messages: readonly VisitorMessage[];
}
