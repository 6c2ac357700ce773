import { endAfterRest } from './end-after-rest.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import { jsonHeaders } from './security-headers.ts';

export function sendAnswer(
  exchange: RequestExchange,
  { status, body, type, headers }: Answer,
  security: Readonly<Record<string, string>>,
): void {
  const { outgoing } = exchange;
  const all: ReturnType<typeof jsonHeaders> = {
    ...jsonHeaders(security, exchange.requestId),
    ...(type !== undefined && { 'content-type': type }),
    ...headers,
    ...exchange.extraHeaders,
    ...(exchange.cookies !== undefined && { 'set-cookie': [...exchange.cookies] }),
  };
  if (body === null) {
    delete all['content-type'];
    outgoing.writeHead(status, all).end();
    return;
  }
  all['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  outgoing.writeHead(status, all);
  if (all['connection'] === 'close' && !exchange.incoming.complete) endAfterRest(exchange, body);
  else outgoing.end(body);
}
