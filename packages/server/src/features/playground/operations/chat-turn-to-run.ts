/** The data that the process of a message needs to answer it. */
import type { ChatLane, RunPlan, TextPiece, VisitLine } from '@proofmark/domain';
import type { StdioAddress } from '../../../outside/mcp/mcp-target.ts';

/** The target of a conversation, as it is now. */
export interface PlayedChat extends Pick<RunPlan, 'client' | 'servers' | 'skills'> {
  /** The model for messages that name none. */
  readonly modelId: string;
}

export interface ChatTurnToRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly lane: ChatLane;
  readonly text: string;
  readonly modelId: string;
  readonly played: PlayedChat;
  /** The earlier turns that its lane contains. */
  readonly earlierIds: readonly string[];
  readonly creditsPerDay: number | null;
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

/** Runs the turns of the playground in this process. */
export interface ChatTurnRunner {
  /**
   * Resolves at the end of the turn, whose row exists before the call. If the turn is rejected
   * before anything was shown, it deletes the row and throws the refusal.
   */
  runChat(turn: ChatTurnToRun, send: (line: VisitLine | TextPiece) => void): Promise<void>;
}
