/**
 * Runs an operation inside another request. It is handled like a separate request, with the same
 * key, scope, project, input checks, deadline, audit and error table. Only the rate limit takes no
 * further token, since the outer request has taken one.
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { basePaths, idempotencyKeyHeader, type Operation } from '@proofmark/contract';
import type { AskApi, ToolRefusal, ToolRequest } from '@proofmark/contract/mcp-tools';
import { isReportedDiskFull } from '../../database/disk-full.ts';
import { answerError } from '../answer.ts';
import { handleOperation, type Served } from '../handle-operation.ts';
import { type Answer, RequestExchange } from '../request-exchange.ts';

export async function askWithin(
  outer: RequestExchange,
  served: Served,
  row: Operation,
  request: ToolRequest,
): ReturnType<AskApi> {
  const startedAt = performance.now();
  const exchange = new RequestExchange(incomingFor(outer, row, request), outer.outgoing);
  exchange.parameters = request.params;
  exchange.hasToken = outer.hasToken;
  const answer = await handled(exchange, served, row);
  const durationSeconds = (performance.now() - startedAt) / 1000;
  served.options.metrics.observe(row.operationId, row.method, answer.status, durationSeconds);
  served.options.log.info(
    {
      requestId: exchange.requestId,
      operationId: row.operationId,
      within: outer.requestId,
      method: row.method,
      status: answer.status,
      durationMs: Math.round(durationSeconds * 1_000_000) / 1000,
    },
    'request',
  );
  const body: unknown = JSON.parse(textOf(answer));
  return answer.status < 400 ? { answer: body } : { error: body as ToolRefusal };
}

async function handled(exchange: RequestExchange, served: Served, row: Operation): Promise<Answer> {
  try {
    const answer = await handleOperation(exchange, served, row);
    if (answer !== undefined) return answer;
    throw new Error(
      `Internal fault: the operation ${row.operationId} sent a stream that was not requested.`,
    );
  } catch (error) {
    if (isReportedDiskFull(error)) served.options.disk?.reportFull();
    return answerError(exchange, error, served.options.log);
  }
}

function textOf({ body }: Answer): string {
  return typeof body === 'string' ? body : Buffer.from(body ?? '{}').toString();
}

/**
 * Builds the request message on an unconnected socket, since ending this message early must not end
 * the outer request.
 */
function incomingFor(
  outer: RequestExchange,
  row: Operation,
  request: ToolRequest,
): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const search = new URLSearchParams(request.query).toString();
  incoming.method = row.method;
  incoming.url = `${basePaths[row.surface]}${row.path}${search && `?${search}`}`;
  const key = request.idempotencyKey;
  incoming.headers = {
    authorization: outer.header('authorization') ?? '',
    host: outer.header('host') ?? '',
    ...(key !== undefined && { [idempotencyKeyHeader.toLowerCase()]: key }),
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
  };
  if (body !== undefined) incoming.push(body);
  incoming.push(null);
  incoming.complete = true;
  return incoming;
}
