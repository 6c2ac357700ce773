/**
 * Probes say that the process lives and that its database answers. Metrics are for this machine or
 * for who holds the token; a request that came through a proxy is not from this machine.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { isReachable } from '../storage/installation.ts';
import { answerJson, answerRefusal } from './answer.ts';
import type { DoorEnvironment, DoorOptions } from './door.ts';

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
