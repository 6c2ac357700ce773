import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface FakeRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly message: Json;
}

export type FakeAnswer = Json | ((response: ServerResponse, request: FakeRequest) => unknown);

export interface FakeMcpServer {
  readonly url: string;
  readonly requests: FakeRequest[];
  stop(): Promise<void>;
}

export async function startFakeMcpServer(
  answers: Readonly<Record<string, FakeAnswer>> = {},
): Promise<FakeMcpServer> {
  const requests: FakeRequest[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void read(request).then((fake) => {
      requests.push(fake);
      reply(response, fake, { ...usual, ...answers });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendEvents(response: ServerResponse, messages: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const message of messages) response.write(`data: ${JSON.stringify(message)}\n\n`);
}

export function rpcResult(request: FakeRequest, result: unknown): Json {
  return { jsonrpc: '2.0', id: request.message['id'], result };
}

export function rpcError(request: FakeRequest, code: number, message: string): Json {
  return { jsonrpc: '2.0', id: request.message['id'], error: { code, message } };
}

const usual: Record<string, FakeAnswer> = {
  'server/discover': (response, request) =>
    sendJson(response, rpcError(request, -32601, 'unknown')),
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'fake', version: '1' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  GET: (response) => response.writeHead(405).end(),
  DELETE: (response) => response.writeHead(200).end(),
};

async function read(request: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const message = text === '' ? {} : (JSON.parse(text) as Json);
  const { method = '', url: target = '' } = request;
  return { method, target, headers: request.headers, message };
}

function reply(
  response: ServerResponse,
  request: FakeRequest,
  answers: Readonly<Record<string, FakeAnswer>>,
): void {
  const name = request.method === 'POST' ? String(request.message['method']) : request.method;
  const answer = answers[name] ?? answers['*'];
  if (typeof answer === 'function') answer(response, request);
  else if (request.message['id'] === undefined) response.writeHead(202).end();
  else if (answer === undefined) sendJson(response, rpcError(request, -32601, 'Method not found'));
  else sendJson(response, rpcResult(request, answer));
}
