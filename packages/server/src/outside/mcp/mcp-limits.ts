import { defaultMaxMessageMiB } from '@proofmark/domain';

/** The limits on what a server may cost. Times are totals, never the time between two bytes. */
export interface McpLimits {
  readonly connectMs: number;
  /**
   * The time until an answer begins, in milliseconds. It applies to requests that need no work by
   * the server: the handshake and the lists.
   */
  readonly firstByteMs: number;
  readonly callMs: number;
  /**
   * The total time for one examination, in milliseconds. It must be shorter than the timeout of the
   * HTTP request that waits for it.
   */
  readonly examineMs: number;
  /**
   * The time for examining one revision of the protocol, in milliseconds, or three times as long as
   * connecting took.
   */
  readonly revisionMs: number;
  /** The size of one JSON-RPC message after decompression. */
  readonly maxMessageBytes: number;
  /** The size of everything that the server sends during one call. */
  readonly maxCallBytes: number;
  readonly maxDepth: number;
  /**
   * The number of brackets, colons and commas in one message. Many small values take longer to
   * parse than their bytes suggest. A list of 100,000 numbers is within the limit.
   */
  readonly maxPieces: number;
  readonly maxPages: number;
  readonly maxItems: number;
  readonly maxSchemaBytes: number;
  /** The total size of the schemas that one session stores. */
  readonly maxKeptBytes: number;
  /** The number of notifications that are handled during one call. Further ones are dropped. */
  readonly maxNotifications: number;
  /** The number of server requests that are answered during one call. Further ones are dropped. */
  readonly maxServerRequests: number;
  readonly maxReconnects: number;
  readonly sessionIdleMs: number;
  readonly sessionMaxMs: number;
  readonly maxSessionsPerOrganization: number;
  readonly maxWaitingPerOrganization: number;
}

/**
 * Returns the limits for one server. If its message limit is raised, the limit on the bytes of a
 * call is raised too.
 */
export function limitsFor(
  limits: McpLimits,
  { maxMessageBytes = limits.maxMessageBytes }: { readonly maxMessageBytes?: number },
): McpLimits {
  const maxCallBytes = Math.max(limits.maxCallBytes, 2 * maxMessageBytes);
  return maxMessageBytes === limits.maxMessageBytes
    ? limits
    : { ...limits, maxMessageBytes, maxCallBytes };
}

export const mcpLimits: McpLimits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  callMs: 30_000,
  examineMs: 600_000,
  revisionMs: 5_000,
  maxMessageBytes: defaultMaxMessageMiB * 1024 * 1024,
  maxCallBytes: 16 * 1024 * 1024,
  maxDepth: 128,
  maxPieces: 125_000,
  maxPages: 64,
  maxItems: 2_000,
  maxSchemaBytes: 256 * 1024,
  maxKeptBytes: 1024 * 1024,
  maxNotifications: 1_000,
  maxServerRequests: 50,
  maxReconnects: 8,
  sessionIdleMs: 60_000,
  sessionMaxMs: 3_600_000,
  maxSessionsPerOrganization: 32,
  maxWaitingPerOrganization: 64,
};
