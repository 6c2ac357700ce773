/** The room behind its one door: sessions from a pool, an examination with a connection of its own. */
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { CallBudget } from './call-budget.ts';
import { examineServer } from './examine-server.ts';
import type { McpGateway, McpSession } from './mcp-gateway.ts';
import { type McpLimits, mcpLimits } from './mcp-limits.ts';
import { sessionOver } from './mcp-session.ts';
import type { McpTarget } from './mcp-target.ts';
import { type ConnectionMaker, openConnection } from './open-connection.ts';
import { requiresOAuth } from './requires-oauth.ts';
import { SessionHolder } from './session-holder.ts';
import { SessionPool } from './session-pool.ts';

export interface McpGatewayOptions {
  /** Where connections may go; its times and sizes are replaced by the limits of this room. */
  readonly egress: EgressPolicy;
  readonly limits?: Partial<McpLimits>;
  /** How we name ourselves to servers. */
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
      // A stream of a session lives as long as the session; calls have deadlines and counts of their own.
      deadlineMs: limits.sessionMaxMs + limits.callMs,
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
    }),
  };
  const pool = new SessionPool(async (target, signal) => {
    const budget = new CallBudget(target.timeoutMs ?? limits.callMs, limits.maxCallBytes, signal);
    try {
      return await openConnection(maker, target, budget);
    } finally {
      budget.end();
    }
  }, limits);
  const fetchForOAuth = createGuardedFetch({
    ...options.egress,
    connectTimeoutMs: limits.connectMs,
    deadlineMs: limits.callMs,
    maxResponseBytes: limits.maxMessageBytes,
  });
  return {
    fetch: fetchForOAuth,
    async use(target, work, useOptions) {
      const timeoutMs = target.timeoutMs ?? limits.callMs;
      const budget = new CallBudget(timeoutMs, limits.maxCallBytes, useOptions?.signal);
      try {
        return await useSession(pool, target, budget, limits, work);
      } finally {
        budget.end();
      }
    },
    examine: (target, examineOptions) => examineServer(maker, pool, target, examineOptions),
    requiresOAuth: (target, asked) => requiresOAuth(maker, pool, target, asked?.signal),
    forget: (serverId) => pool.forget(serverId),
    close: () => pool.close(),
  };
}

async function useSession<Result>(
  pool: SessionPool,
  target: McpTarget,
  budget: CallBudget,
  limits: McpLimits,
  work: (session: McpSession) => Promise<Result>,
): Promise<Result> {
  const holder = await SessionHolder.open(pool, target, budget);
  const session = sessionOver(
    () => holder.connection,
    (method, params) => holder.ask(method, params),
    limits,
    target,
  );
  try {
    return await Promise.race([work(session), budget.broken]);
  } catch (error) {
    holder.noteFailure(error);
    throw error;
  } finally {
    holder.release();
  }
}
