import type { ExchangeDuration } from '@proofmark/domain';
import { McpFailure } from '../../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../../outside/mcp/mcp-gateway.ts';
import type { ExchangeDraft } from './exchange-records.ts';

/** Returns the duration; for a call that of its server, without the wait for our own turn. */
export function durationOfExchange(draft: ExchangeDraft): ExchangeDuration | null {
  const { answer, durationMs } = draft;
  const outcome = draft.kind === 'call' ? (answer as ToolOutcome | undefined) : undefined;
  const failed = draft.error instanceof McpFailure ? draft.error : undefined;
  const tookMs = outcome?.durationMs ?? failed?.durationMs ?? durationMs;
  const stillMs = outcome?.stillMs ?? failed?.stillMs;
  if (tookMs === undefined) return null;
  return { durationMs: Math.round(tookMs), ...(stillMs !== undefined && { stillMs }) };
}
