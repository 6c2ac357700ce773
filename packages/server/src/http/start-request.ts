/** One log line and one measurement per request. Paths are logged by operation, never with their query. */
import type { Context } from 'hono';
import type { DoorEnvironment, DoorOptions } from './door.ts';
import { tenRandomBytes } from './ten-random-bytes.ts';

export function startRequest(
  context: Context<DoorEnvironment>,
  { log, metrics }: Pick<DoorOptions, 'log' | 'metrics'>,
): (status: number) => void {
  const startedAt = performance.now();
  const requestId = `req_${Buffer.from(tenRandomBytes()).toString('hex')}`;
  context.set('requestId', requestId);
  return (status) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const operationId = context.get('operationId') ?? 'other';
    metrics.observe({ operationId, method: context.req.method, status }, seconds);
    if (operationId === 'probe') return;
    const durationMs = Math.round(seconds * 1e6) / 1000;
    log.info({ requestId, operationId, method: context.req.method, status, durationMs }, 'request');
  };
}
