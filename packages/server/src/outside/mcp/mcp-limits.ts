import { defaultMaxMessageMiB } from '@proofmark/domain';

/**
 * The limits on the cost of a server. Every figure is an upper bound; times are totals, never times
 * between two bytes.
 */
export interface McpLimits {
  readonly connectMs: number;
  /**
   * Until an answer begins, for requests that need no work of the server: the handshake and the
   * lists.
   */
  readonly firstByteMs: number;
  readonly callMs: number;
  /**
   * For one examination, however long each of its steps may take; less than the wait of an HTTP
   * request.
   */
  readonly examineMs: number;
  /** For one JSON-RPC message, after decompression. */
  readonly maxMessageBytes: number;
  /** For everything that comes back during one call. */
  readonly maxCallBytes: number;
  readonly maxDepth: number;
  /**
   * Brackets, colons and commas of one message: many small values take longer to read than their
   * bytes suggest. A list of 100,000 numbers is within the limit.
   */
  readonly maxPieces: number;
  readonly maxPages: number;
  readonly maxItems: number;
  readonly maxSchemaBytes: number;
  /** For all schemas that one session stores. */
  readonly maxKeptBytes: number;
  /** Handled notifications during one call; the rest is dropped. */
  readonly maxNotifications: number;
  /** Requests of the server that are answered during one call; the rest is dropped. */
  readonly maxServerRequests: number;
  readonly maxReconnects: number;
  readonly sessionIdleMs: number;
  readonly sessionMaxMs: number;
  readonly maxSessionsPerOrganization: number;
  readonly maxWaitingPerOrganization: number;
}

/**
 * Returns the limits for one server. A higher limit on messages also raises that on the bytes of a
 * call.
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
