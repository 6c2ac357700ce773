/**
 * Serves the operations as an MCP server at `/mcp`, over Streamable HTTP. No state is stored
 * between requests, so any process can answer each one. Each request authenticates with a key, and
 * takes a token from the key's rate limit bucket, before its body is read. A tool call is then
 * handled like the operation behind it. Only keys are accepted, not console sessions.
 */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { type KeyScope, Refused, withDeadline } from '@proofmark/domain';
import { answerRefusal } from '../answer.ts';
import { authenticateKey, isForeignOrigin } from '../authenticate.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import type { Served } from '../handle-operation.ts';
import type { HttpOptions } from '../http-options.ts';
import { readJsonBody } from '../read-json-body.ts';
import type { Answer, RequestExchange } from '../request-exchange.ts';
import type { Routes } from '../routes.ts';
import { jsonHeaders, securityHeadersFor } from '../security-headers.ts';
import type { ToolCaller } from './create-tool-server.ts';

export const mcpPath = '/mcp';
const bodyLimitBytes = 1_000_000;
/**
 * Bytes of a body that are read when the rate limit is exceeded: enough to find out which call must
 * wait.
 */
const limitedBodyBytes = 64_000;
const deadlineMs = 5000;

export function mcpRoute(routes: Routes, served: Served): void {
  const { options } = served;
  // The MCP library is loaded with the first message, because it is a tenth of all code that the
  // service would load at its start.
  let loaded: Promise<McpHttpHandler> | undefined;
  const handler = () => {
    loaded ??= import('./create-tool-handler.ts').then((file) => file.createToolHandler(served));
    return loaded;
  };
  routes.add('POST', mcpPath, (exchange) => answerMessage(exchange, options, handler));
  for (const method of ['GET', 'DELETE']) routes.add(method, mcpPath, onlyPost);
}

async function answerMessage(
  exchange: RequestExchange,
  options: HttpOptions,
  handler: () => Promise<McpHttpHandler>,
): Promise<Answer | undefined> {
  exchange.operationId = 'mcp';
  if (isForeignOrigin(exchange, options)) return answerRefusal(foreignOrigin);
  const admitted = await admit(exchange, options);
  const message = await readMessage(exchange, admitted);
  if ('limited' in admitted && message.method !== 'tools/call') {
    // Above the rate limit, a notification is accepted and ignored: notifications have no effect
    // here, and some clients abandon a server that rejects one.
    if (message.id === undefined) return { status: 202, body: null };
    throw admitted.limited;
  }
  const caller: ToolCaller = { exchange, ...admitted };
  const { fetch } = await handler();
  const response = await fetch(requestFor(exchange), {
    authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
    parsedBody: message,
  });
  return sendResponse(exchange, options, response);
}

type Admitted = { readonly scope: KeyScope } | { readonly limited: Refused };

/**
 * Authenticates the key. If the rate limit is exceeded, this does not throw: a tool call then gets
 * a tool result with the reason, which the model can read, instead of a failed request.
 */
async function admit(exchange: RequestExchange, options: HttpOptions): Promise<Admitted> {
  try {
    const { caller } = await withDeadline(authenticateKey(exchange, options), deadlineMs);
    exchange.hasToken = true;
    return { scope: caller.scope };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.refusal.code === 'RATE_LIMITED') return { limited: error };
    if (error.refusal.code !== 'UNAUTHORIZED') throw error;
    throw new Refused(error.refusal, { ...error.headers, 'www-authenticate': 'Bearer' });
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
}

async function readMessage({ incoming }: RequestExchange, admitted: Admitted): Promise<Message> {
  if ('limited' in admitted) {
    return oneMessage(
      await readJsonBody(incoming, limitedBodyBytes).catch(() => {
        throw admitted.limited;
      }),
    );
  }
  return oneMessage(await readJsonBody(incoming, bodyLimitBytes));
}

/** Returns the message of a body. A batch is rejected, since the request took only one token. */
function oneMessage(body: unknown): Message {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new Refused({
    code: 'VALIDATION_ERROR',
    message: 'The body must be one JSON-RPC message.',
    details: { path: 'body' },
  });
}

function requestFor(exchange: RequestExchange): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(exchange.incoming.headers)) {
    if (/^(accept|content-type|mcp-[\w-]+)$/.test(name)) headers.set(name, String(value));
  }
  return new Request(`http://localhost${mcpPath}`, {
    method: 'POST',
    headers,
    signal: disconnectSignal(exchange),
  });
}

function onlyPost(exchange: RequestExchange): Answer {
  exchange.operationId = 'mcp';
  const { body } = answerRefusal({
    code: 'NOT_FOUND',
    message: 'This endpoint keeps no state between requests, so it accepts only POST.',
  });
  return { status: 405, body, headers: { allow: 'POST' } };
}

const foreignOrigin = {
  code: 'FORBIDDEN',
  message: 'A web page from another origin may not call the tools of this service.',
} as const;

async function sendResponse(
  { outgoing, requestId }: RequestExchange,
  { publicUrl }: HttpOptions,
  response: Response,
): Promise<Answer | undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return { status: response.status, body: null };
  if (!type.startsWith('text/event-stream'))
    return { status: response.status, body: await response.text(), ...(type !== '' && { type }) };
  outgoing.writeHead(response.status, {
    ...jsonHeaders(securityHeadersFor(publicUrl), requestId),
    'content-type': type,
    // Switches off buffering in proxies, because a buffer would hold back the keep-alive lines.
    'x-accel-buffering': 'no',
  });
  // If the client disconnects early, the call is cancelled and the error has no recipient.
  await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
  return undefined;
}
