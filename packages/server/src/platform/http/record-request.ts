/**
 * Writes one log line and one measurement per request. The log has the operation instead of the
 * path, and never the query.
 */

import type { HttpOptions } from './http-options.ts';
import type { RequestExchange } from './request-exchange.ts';

export function recordRequest(
  { incoming, outgoing, operationId, requestId }: RequestExchange,
  { log, metrics }: Pick<HttpOptions, 'log' | 'metrics'>,
  tookMs: number,
): void {
  const method = incoming.method ?? '';
  const status = outgoing.statusCode;
  metrics.observe(operationId, method, status, tookMs / 1000);
  if (operationId === 'probe') return;
  const durationMs = Math.round(tookMs * 1000) / 1000;
  log.info({ requestId, operationId, method, status, durationMs }, 'request');
}
