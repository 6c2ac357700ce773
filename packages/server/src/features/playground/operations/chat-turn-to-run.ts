/** What the process that took a message needs to answer it. */
import type { ChatLane, RunPlan, TextPiece, VisitLine } from '@proofmark/domain';
import type { StdioAddress } from '../../../outside/mcp/mcp-target.ts';

/** With what a conversation is held, as it is at this moment. */
export interface PlayedChat extends Pick<RunPlan, 'client' | 'servers' | 'skills'> {
  /** Answers where a message names none. */
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
  /** The turns that were before it, as its lane reads them. */
  readonly earlierIds: readonly string[];
  readonly creditsPerDay: number | null;
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

/** Who runs what people say in the playground, in this process. */
export interface ChatTurnRunner {
  /**
   * Ends with the turn, whose row exists by then. Throws what refused it, where nothing of it was shown; the row is then
   * gone.
   */
  runChat(turn: ChatTurnToRun, send: (line: VisitLine | TextPiece) => void): Promise<void>;
}
