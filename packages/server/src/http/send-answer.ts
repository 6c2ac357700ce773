/**
 * Sends an answer whole, with the headers that belong to every answer. All headers go to node in one plain object,
 * which it writes as it is; nearly every answer passes the short way, where nothing has to be put together.
 */
import type { Answer, Exchange } from './exchange.ts';
import { jsonHeaders } from './security-headers.ts';

export function sendAnswer(
  exchange: Exchange,
  { status, body, type, headers }: Answer,
  security: Readonly<Record<string, string>>,
): void {
  const { outgoing } = exchange;
  const all = jsonHeaders(security, exchange.requestId);
  if (type !== undefined) all['content-type'] = type;
  if (headers !== undefined) Object.assign(all, headers);
  if (exchange.extraHeaders !== undefined) Object.assign(all, exchange.extraHeaders);
  if (exchange.cookies !== undefined) all['set-cookie'] = [...exchange.cookies];
  if (body === null) {
    delete all['content-type'];
    outgoing.writeHead(status, all).end();
    return;
  }
  all['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  outgoing.writeHead(status, all);
  outgoing.end(body);
}
