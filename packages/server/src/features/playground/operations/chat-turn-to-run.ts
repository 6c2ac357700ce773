import type { ChatLane, RunPlan, TextPiece, VisitLine } from '@proofmark/domain';
import type { StdioAddress } from '../../../outside/mcp/mcp-target.ts';

export interface PlayedChat extends Pick<RunPlan, 'client' | 'servers' | 'skills'> {
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
  /**
   * The earlier turns in the same lane. A session may have several lanes, which answer each message
   * side by side.
   */
  readonly earlierIds: readonly string[];
  readonly creditsPerDay: number | null;
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

export interface ChatTurnRunner {
  /**
   * Runs the turn, whose row exists already, and resolves at its end. If the turn is rejected
   * before anything was shown, deletes the row and throws the refusal.
   */
  runChat(turn: ChatTurnToRun, send: (line: VisitLine | TextPiece) => void): Promise<void>;
}
