import type { ApprovalDecision, VisitorMessage } from '@proofmark/domain';

export interface NewApproval {
  readonly id: string;
  readonly organizationId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly serverName: string;
  /** The arguments as canonical JSON. */
  readonly arguments: string;
  readonly argumentsHash: string;
  readonly definitionHash: string;
  readonly lifetimeMs: number;
}

export interface ApprovalState {
  readonly id: string;
  readonly decision: ApprovalDecision | null;
  readonly isExpired: boolean;
}

export interface EarlierTurn {
  readonly isCompleted: boolean;
  readonly messages: readonly VisitorMessage[];
  readonly trace: unknown;
}

export interface TurnBeat {
  readonly id: string;
  readonly isStopped: boolean;
  /** Whether the turn's link was closed or its person lost access. */
  readonly isClosed: boolean;
}
