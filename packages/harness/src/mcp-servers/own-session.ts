import { createGuardedFetch } from '../../../server/src/outside/egress/guarded-fetch.ts';
import { CallBudget } from '../../../server/src/outside/mcp/call-budget.ts';
import type { McpSession } from '../../../server/src/outside/mcp/mcp-gateway.ts';
import { mcpLimits } from '../../../server/src/outside/mcp/mcp-limits.ts';
import { sessionOver } from '../../../server/src/outside/mcp/mcp-session.ts';
import type { McpTarget } from '../../../server/src/outside/mcp/mcp-target.ts';
import { openConnection } from '../../../server/src/outside/mcp/open-connection.ts';
import type { OnServerRequest } from '../../../server/src/outside/mcp/server-requests.ts';

export interface OwnTestSession {
  use<Result>(
    work: (session: McpSession) => Promise<Result>,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<Result>;
  close(): Promise<void>;
}

export async function openOwnSession(
  target: McpTarget,
  onServerRequest?: OnServerRequest,
): Promise<OwnTestSession> {
  const guardedFetch = createGuardedFetch({ allowLoopback: true, allowedPrivateHosts: [] });
  const maker = { guardedFetch, limits: mcpLimits, client: { name: 'test', version: '1' } };
  const opening = new CallBudget(10_000, mcpLimits.maxCallBytes);
  const connection = await openConnection(
    onServerRequest === undefined ? maker : { ...maker, onServerRequest },
    target,
    opening,
  ).finally(() => opening.end());
  return {
    async use(work, { signal, timeoutMs = 20_000 } = {}) {
      const budget = new CallBudget(timeoutMs, mcpLimits.maxCallBytes, signal);
      let sentAtMs = performance.now();
      const session = sessionOver(
        () => connection,
        (...asked) => {
          sentAtMs = performance.now();
          return connection.request(budget, ...asked);
        },
        mcpLimits,
        {},
        () => ({ sentAtMs, stillMs: 0 }),
      );
      try {
        return await Promise.race([work(session), budget.broken]);
      } finally {
        budget.end();
      }
    },
    close: () => connection.close(),
  };
}
