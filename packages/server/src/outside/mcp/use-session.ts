import { CallBudget } from './call-budget.ts';
import { CallSession, type SessionOptions } from './call-session.ts';
import type { McpSession } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import { sessionOver } from './mcp-session.ts';
import type { McpTarget } from './mcp-target.ts';
import type { SessionPool } from './session-pool.ts';

interface UseOptions extends SessionOptions {
  readonly signal?: AbortSignal;
}

export async function useSession<Result>(
  pool: SessionPool,
  target: McpTarget,
  limits: McpLimits,
  work: (session: McpSession) => Promise<Result>,
  { signal, ...options }: UseOptions = {},
): Promise<Result> {
  const budget = new CallBudget(target.timeoutMs ?? limits.callMs, limits.maxCallBytes, signal);
  try {
    return await useWithin(budget, pool, target, limits, work, options);
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
  options: SessionOptions,
): Promise<Result> {
  const callSession = await CallSession.open(pool, target, budget, options);
  const session = sessionOver(
    () => callSession.connection,
    (...asked) => callSession.ask(...asked),
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
