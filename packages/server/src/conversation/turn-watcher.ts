/**
 * A watcher of a turn, who is informed of its events and asked before a tool of a server is called.
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
   * Called with all of the text so far of a running answer. Absent if the watcher does not want
   * partial answers.
   */
  saying?(soFar: string): void;
  /** Called with a complete answer of the model, which may be empty if it only calls tools. */
  answered(text: string): void;
  /** Called before the call. `denied` is the text for the model instead of a result. */
  mayCall(call: WatchedCall, signal: AbortSignal): Promise<{ readonly denied: string } | undefined>;
  called(call: WatchedCall, output: ToolResultPart['output']): void;
}
