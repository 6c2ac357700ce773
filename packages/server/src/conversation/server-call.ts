import type { Json } from '@proofmark/domain';

/** One call of a tool, and its place in the trial. */
export interface ServerCall {
  readonly serverId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly parentId: string;
  /** The index of its result among the messages. */
  readonly messageIndex: number;
}
