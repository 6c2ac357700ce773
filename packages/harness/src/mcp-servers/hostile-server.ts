/**
 * A hostile MCP server for tests, with one path for each misbehaviour and step. Before that step
 * its responses are correct. A second origin counts its requests, because clients should send it
 * none.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { bodies } from './hostile-bodies.ts';
import { messages } from './hostile-messages.ts';
import type { Exchange, HostileMode, Json, RpcMessage, Step } from './hostile-mode.ts';
import { schemas } from './hostile-schemas.ts';
import { silence } from './hostile-silence.ts';
import { statuses } from './hostile-statuses.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

export const hostileModes: Readonly<Record<string, HostileMode>> = {
  ...silence,
  ...bodies,
  ...messages,
  ...schemas,
  ...statuses,
};

export interface HostileServer {
  url(mode: string, step: Step): string;
  /** The same server over TLS, with an untrusted certificate. */
  readonly tlsUrl: string;
  readonly hitsElsewhere: readonly { readonly url: string; readonly headers: Json }[];
  times(mode: string, step: Step): number;
  openExchanges(mode: string, step: Step): number;
  openSockets(): number;
  stop(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const states = new Map<string, StepState>();
  const hitsElsewhere: { url: string; headers: Json }[] = [];
  const sockets = new Set<Socket>();
  const elsewhere = createServer((request, response) => {
    hitsElsewhere.push({ url: request.url ?? '', headers: { ...request.headers } });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const plain = createServer((request, response) => void serve(request, response));
  const tls = createTlsServer(selfSignedCertificate(), (_, response) => response.end('{}'));
  const origins = await Promise.all([plain, elsewhere, tls].map(listen));
  for (const server of [plain, tls]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const [, name = '', step = ''] = (request.url ?? '').split('/');
    const state = stateOf(states, (request.url ?? '').slice(1));
    const mode = hostileModes[name] ?? polite;
    const gone = new AbortController();
    state.open += 1;
    response.on('close', () => {
      state.open -= 1;
      gone.abort();
    });
    const message = await messageOf(request).catch(() => undefined);
    const isDue = stepOf(message?.method) === step && mode.misbehave !== undefined;
    if (isDue) state.times += 1;
    const exchange: Exchange = {
      request,
      response,
      message,
      origin: origins[0] as string,
      elsewhere: origins[1] as string,
      times: state.times,
      signal: gone.signal,
      answersOfClient: state.answersOfClient,
      answerPolitely: () => answerPolitely(exchange, mode),
    };
    if (isDue) await mode.misbehave?.(exchange);
    else exchange.answerPolitely();
  }
  return {
    url: (mode, step) => `${origins[0]}/${mode}/${step}`,
    tlsUrl: `${origins[2]}/mcp`.replace('http:', 'https:'),
    hitsElsewhere,
    times: (mode, step) => stateOf(states, `${mode}/${step}`).times,
    openExchanges: (mode, step) => stateOf(states, `${mode}/${step}`).open,
    openSockets: () => sockets.size,
    async stop() {
      await Promise.all([plain, elsewhere, tls].map(close));
    },
  };
}

interface StepState {
  times: number;
  open: number;
  readonly answersOfClient: Map<unknown, Json>;
}

const polite: HostileMode = { steps: [], expected: { status: 200 } };

function stateOf(states: Map<string, StepState>, key: string): StepState {
  const state = states.get(key) ?? { times: 0, open: 0, answersOfClient: new Map() };
  states.set(key, state);
  return state;
}

function stepOf(method: string | undefined): Step | undefined {
  if (method === 'initialize' || method === 'server/discover') return 'initialize';
  if (method === 'tools/list') return 'list';
  return method === 'tools/call' ? 'call' : undefined;
}

function answerPolitely(exchange: Exchange, mode: HostileMode): void {
  const { request, response, message, elsewhere } = exchange;
  if (request.method === 'GET') {
    response.writeHead(405).end();
  } else if (message?.id === undefined || message.method === undefined) {
    if (message?.id !== undefined) exchange.answersOfClient.set(message.id, message as Json);
    response.writeHead(202).end();
  } else {
    const answer = { jsonrpc: '2.0', id: message.id, ...politeAnswer(message, mode) };
    const text = JSON.stringify(answer).replaceAll('ELSEWHERE', elsewhere);
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a-session' });
    response.end(text.replace('"TOOL-TEXT"', () => mode.toolText ?? ''));
  }
}

function politeAnswer({ method, params }: RpcMessage, mode: HostileMode): Json {
  if (method === 'initialize') {
    return {
      result: {
        protocolVersion: params?.['protocolVersion'] ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      },
    };
  }
  if (method === 'tools/list') {
    const tool = mode.tool ?? { name: 'sample', inputSchema: { type: 'object' } };
    return { result: { tools: [mode.toolText === undefined ? tool : 'TOOL-TEXT'] } };
  }
  if (method === 'tools/call') {
    return { result: mode.result ?? { content: [{ type: 'text', text: 'polite' }] } };
  }
  if (method === 'ping') return { result: {} };
  return { error: { code: -32_601, message: 'Method not found' } };
}

async function messageOf(request: IncomingMessage): Promise<RpcMessage | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  return body === '' ? undefined : (JSON.parse(body) as RpcMessage);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
