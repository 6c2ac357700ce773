import type { EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { CallBudget } from './call-budget.ts';
import { examineServer } from './examine-server.ts';
import { forwardRequest } from './forward-request.ts';
import type { McpGateway } from './mcp-gateway.ts';
import { limitsFor, type McpLimits, mcpLimits } from './mcp-limits.ts';
import { type ConnectionMaker, openConnection } from './open-connection.ts';
import { OwnedSessions } from './own-sessions.ts';
import { requiresOAuth } from './requires-oauth.ts';
import { SessionPool } from './session-pool.ts';
import { useSession } from './use-session.ts';

export interface McpGatewayOptions {
  /** The policy for outgoing connections. Its time and size limits are replaced by `mcpLimits`. */
  readonly egress: EgressPolicy;
  readonly limits?: Partial<McpLimits>;
  /** The name and version that Proofmark reports to servers. */
  readonly client: { readonly name: string; readonly version: string };
}

export function createMcpGateway(options: McpGatewayOptions): McpGateway {
  const limits = { ...mcpLimits, ...options.limits };
  const maker: ConnectionMaker = {
    limits,
    client: options.client,
    guardedFetch: createGuardedFetch({
      ...options.egress,
      connectTimeoutMs: limits.connectMs,
      // An event stream stays open as long as a session or a run may last, so the deadline of the
      // fetch must exceed both. Single calls have their own limits of time and size.
      deadlineMs: Math.max(limits.sessionMaxMs, longestRunMs) + limits.callMs,
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
    }),
  };
  const pool = new SessionPool(async (target, signal) => {
    const { callMs, maxCallBytes } = limitsFor(limits, target);
    const budget = new CallBudget(target.timeoutMs ?? callMs, maxCallBytes, signal);
    try {
      return await openConnection(maker, target, budget);
    } finally {
      budget.end();
    }
  }, limits);
  const owned = new Set<OwnedSessions>();
  const fetchForOAuth = createGuardedFetch({
    ...options.egress,
    connectTimeoutMs: limits.connectMs,
    deadlineMs: limits.callMs,
    maxResponseBytes: limits.maxMessageBytes,
  });
  return {
    fetch: fetchForOAuth,
    use: (target, work, asked) => useSession(pool, target, limitsFor(limits, target), work, asked),
    reserve: (organizationId, count, signal) =>
      pool.takeSlotsTogether(organizationId, count, signal),
    ownSessions() {
      const sessions = new OwnedSessions(maker);
      owned.add(sessions);
      return {
        open: (...opened) => sessions.open(...opened),
        prepare: (target) => sessions.prepare(target),
        close: () => sessions.close().finally(() => owned.delete(sessions)),
      };
    },
    examine: (target, examineOptions) => examineServer(maker, pool, target, examineOptions),
    requiresOAuth: (target, asked) => requiresOAuth(maker, pool, target, asked?.signal),
    forward: (target, request) => forwardRequest(maker, target, request),
    forget: (serverId) => pool.forget(serverId),
    async close() {
      await Promise.all([pool.close(), ...[...owned].map((sessions) => sessions.close())]);
    },
  };
}

const longestRunMs = 24 * 60 * 60 * 1000;
