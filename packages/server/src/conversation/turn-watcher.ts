/** Somebody who is there while a turn goes on: hears what happens in it, and is asked before a tool of a server is called. */
import type { Json } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import type { OfferedTool } from './offered-tools.ts';

export interface WatchedCall {
  readonly callId: string;
  readonly offered: Extract<OfferedTool, { readonly kind: 'server' }>;
  readonly input: Json;
}

export interface TurnWatcher {
  /** All that the model has said so far of an answer that goes on. Where it is absent, nobody listens that closely. */
  saying?(soFar: string): void;
  /** A whole answer of the model; may be empty where it only calls tools. */
  answered(text: string): void;
  /** Before the call. A text in place of the call is what the model is told instead of a result. */
  mayCall(call: WatchedCall, signal: AbortSignal): Promise<{ readonly denied: string } | undefined>;
  called(call: WatchedCall, output: ToolResultPart['output']): void;
}
