import type { Json } from '@proofmark/domain';

export interface ServerCall {
  readonly serverId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly parentId: string;
  /** The index that the call's result will have among the messages. */
  readonly messageIndex: number;
}
