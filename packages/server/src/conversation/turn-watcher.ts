/**
 * A person who watches a turn. The watcher is notified of events, and is asked for permission
 * before a server's tool is called.
 */
import type { Json } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import type { OfferedTool } from './offered-tools.ts';

export interface WatchedCall {
  readonly callId: string;
  readonly offered: Extract<OfferedTool, { readonly kind: 'server' }>;
  readonly input: Json;
}

export interface TurnWatcher {
  /**
   * Called repeatedly while an answer is streamed, each time with the whole text so far. Absent if
   * the watcher does not want partial answers.
   */
  saying?(soFar: string): void;
  /**
   * Called with each complete answer of the model. The text may be empty if the model only requests
   * calls.
   */
  answered(text: string): void;
  /**
   * Called before each tool call. For a call without permission, `denied` is the text that the
   * model gets instead of a result.
   */
  mayCall(call: WatchedCall, signal: AbortSignal): Promise<{ readonly denied: string } | undefined>;
  called(call: WatchedCall, output: ToolResultPart['output']): void;
}
