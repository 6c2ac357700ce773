/** Works with a session of a pool, within the time and the bytes of one call. */
import { CallBudget } from './call-budget.ts';
import { CallSession } from './call-session.ts';
import type { McpSession } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import { sessionOver } from './mcp-session.ts';
import type { McpTarget } from './mcp-target.ts';
import type { SessionPool } from './session-pool.ts';

export async function useSession<Result>(
  pool: SessionPool,
  target: McpTarget,
  limits: McpLimits,
  work: (session: McpSession) => Promise<Result>,
  { signal, isOwn = false }: { readonly signal?: AbortSignal; readonly isOwn?: boolean } = {},
): Promise<Result> {
  const budget = new CallBudget(target.timeoutMs ?? limits.callMs, limits.maxCallBytes, signal);
  try {
    return await useWithin(budget, pool, target, limits, work, isOwn);
  } finally {
    budget.end();
  }
}

async function useWithin<Result>(
  budget: CallBudget,
  pool: SessionPool,
  target: McpTarget,
  limits: McpLimits,
  work: (session: McpSession) => Promise<Result>,
  isOwn: boolean,
): Promise<Result> {
  const callSession = await CallSession.open(pool, target, budget, isOwn);
  const session = sessionOver(
    () => callSession.connection,
    (method, params) => callSession.ask(method, params),
    limits,
    target,
    () => callSession.last,
  );
  try {
    return await Promise.race([work(session), budget.broken]);
  } catch (error) {
    callSession.noteFailure(error);
    throw error;
  } finally {
    callSession.release();
  }
}
