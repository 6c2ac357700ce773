/**
 * Probes report that the process lives and that its database answers. Metrics require the token. If
 * the service cannot be behind a proxy, requests from this machine may read the metrics without the
 * token, unless they have the headers of a proxy.
 */
import { timingSafeEqual } from 'node:crypto';
import { isReachable } from '../database/installation.ts';
import { answerJson, answerRefusal } from './answer.ts';
import type { HttpOptions } from './http-options.ts';
import type { RequestExchange } from './request-exchange.ts';
import type { Routes } from './routes.ts';

export function probeRoutes(routes: Routes, options: HttpOptions): void {
  routes.add('GET', '/healthz', (exchange) => {
    exchange.operationId = 'probe';
    return answerJson(200, { status: 'alive' });
  });
  routes.add('GET', '/readyz', async (exchange) => {
    exchange.operationId = 'probe';
    const ready = await isReachable(options.database);
    // With a full disk the process still counts as ready, since it can serve reads. Taking it out
    // of service would stop the reads too.
    if (ready && options.disk?.isFull) {
      return answerJson(200, { status: 'ready', writes: 'refused', reason: 'DISK_FULL' });
    }
    if (ready) return answerJson(200, { status: 'ready' });
    const away = { code: 'INTERNAL_ERROR', message: 'The database does not answer.' };
    return answerJson(503, away);
  });
  routes.add('GET', '/metrics', async (exchange) => {
    exchange.operationId = 'probe';
    if (!mayReadMetrics(exchange, options)) {
      return answerRefusal({
        code: 'FORBIDDEN',
        message:
          'Metrics need the bearer token from PROOFMARK_METRICS_TOKEN, except for requests from this machine without a proxy.',
      });
    }
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    return { status: 200, type, body: await options.metrics.text() };
  });
}

function mayReadMetrics(exchange: RequestExchange, options: HttpOptions): boolean {
  const token = options.metricsToken;
  const given = Buffer.from(exchange.header('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${token ?? ''}`);
  if (token !== undefined && given.length === expected.length && timingSafeEqual(given, expected)) {
    return true;
  }
  if (options.metricsNeedToken) return false;
  const proxied = exchange.header('x-forwarded-for') ?? exchange.header('forwarded');
  const address = exchange.incoming.socket.remoteAddress ?? '';
  return proxied === undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
