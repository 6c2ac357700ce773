/** One log line and one measurement per request. Paths are logged by operation, never with their query. */

import type { Exchange } from './exchange.ts';
import type { HttpOptions } from './http-options.ts';

export function recordRequest(
  { incoming, outgoing, operationId, requestId }: Exchange,
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
