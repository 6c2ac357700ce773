/**
 * Probes say that the process lives and that its database answers. Metrics are for this machine or
 * for who holds the token; a request that came through a proxy is not from this machine.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isReachable } from '../storage/installation.ts';
import { answerJson, answerRefusal } from './answer.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';

export interface Metrics {
  observe(labels: { operationId: string; method: string; status: number }, seconds: number): void;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'proofmark_' });
  const requests = new Histogram({
    name: 'proofmark_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  });
  return {
    observe: ({ operationId, method, status }, seconds) =>
      requests.observe({ operation: operationId, method, status }, seconds),
    text: () => registry.metrics(),
  };
}

export function probeRoutes(app: Hono<DoorEnvironment>, options: DoorOptions): void {
  app.get('/healthz', (context) => {
    context.set('operationId', 'probe');
    return answerJson(context, 200, { status: 'alive' });
  });
  app.get('/readyz', async (context) => {
    context.set('operationId', 'probe');
    const ready = await isReachable(options.database);
    if (ready) return answerJson(context, 200, { status: 'ready' });
    const away = { code: 'INTERNAL_ERROR', message: 'The database does not answer.' };
    return answerJson(context, 503, away);
  });
  app.get('/metrics', async (context) => {
    context.set('operationId', 'probe');
    if (!mayReadMetrics(context, options.metricsToken)) {
      return answerRefusal(context, {
        code: 'FORBIDDEN',
        message:
          'Metrics are for this machine, or need the bearer token of PROOFMARK_METRICS_TOKEN.',
      });
    }
    return context.body(await options.metrics.text(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  });
}

function mayReadMetrics(context: Context<DoorEnvironment>, token: string | undefined): boolean {
  const given = Buffer.from(context.req.header('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${token ?? ''}`);
  if (token !== undefined && given.length === expected.length && timingSafeEqual(given, expected)) {
    return true;
  }
  const proxied = context.req.header('x-forwarded-for') ?? context.req.header('forwarded');
  const address = context.env.incoming.socket.remoteAddress ?? '';
  return proxied === undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
