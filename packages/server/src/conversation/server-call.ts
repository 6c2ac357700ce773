import type { Json } from '@proofmark/domain';

/** One call of a tool, and where it stands in its trial. */
export interface ServerCall {
  readonly serverId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly parentId: string;
  /** Where its result will stand among the messages. */
  readonly messageIndex: number;
}
