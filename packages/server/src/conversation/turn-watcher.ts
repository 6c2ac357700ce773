/**
 * A person who watches a turn. The watcher is told what happens, and is asked for permission before
 * a server's tool is called.
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
   * Called while an answer is being streamed, each time with the whole text so far. Absent if the
   * watcher does not want partial answers.
   */
  saying?(soFar: string): void;
  /**
   * Called with a complete answer of the model. It may be empty if the model only requests calls.
   */
  answered(text: string): void;
  /**
   * Asked before each call. If the call is not permitted, returns `denied`, the text that the model
   * gets instead of a result.
   */
  mayCall(call: WatchedCall, signal: AbortSignal): Promise<{ readonly denied: string } | undefined>;
  called(call: WatchedCall, output: ToolResultPart['output']): void;
}
