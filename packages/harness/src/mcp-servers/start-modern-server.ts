/**
 * A test server for protocol 2026-07-28. By default it also accepts clients with older protocols.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import {
  modernPrompt,
  modernPrompts,
  modernResource,
  modernResources,
  modernResourceTemplates,
  modernToolResult,
  modernTools,
} from './modern-primitives.ts';

export interface ModernServerOptions {
  readonly pageSize?: number;
  readonly onlyModern?: boolean;
  readonly onlyTools?: boolean;
  readonly logs?: boolean;
  /** Whether the server states that it announces changes of its tools. */
  readonly announces?: boolean;
  /** Whether requests are recorded. Tests with very many requests switch it off. */
  readonly keepCalls?: boolean;
}

export interface ModernServer {
  readonly url: string;
  readonly calls: readonly ModernCall[];
  /** Announces to all subscribers that the tools have changed. */
  toolsChanged(): void;
  stop(): Promise<void>;
}

export interface ModernCall {
  readonly httpMethod: string;
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export async function startModernServer(options: ModernServerOptions = {}): Promise<ModernServer> {
  const handler = createMcpHandler(() => makeServer(options), {
    legacy: options.onlyModern === true ? 'reject' : 'stateless',
  });
  const calls: ModernCall[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, handler.fetch, options.keepCalls === false ? [] : calls);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    toolsChanged: () => handler.notify.toolsChanged(),
    async stop() {
      const closed = once(server, 'close');
      await handler.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function makeServer({
  pageSize = 5,
  onlyTools = false,
  logs = false,
  announces = false,
}: ModernServerOptions): Server {
  const server = new Server(
    { name: 'modern-sample', title: 'Modern sample', version: '1.2.3' },
    {
      capabilities: {
        tools: announces ? { listChanged: true } : {},
        ...(onlyTools ? {} : { prompts: {}, resources: {} }),
        ...(logs && { logging: {} }),
      },
      instructions: 'Use echo first. – Zuerst „echo“.',
    },
  );
  server.setRequestHandler('tools/list', ({ params }) => {
    const start = params?.cursor === undefined ? 0 : Number(params.cursor.replace('page-', ''));
    const end = start + pageSize;
    return {
      tools: modernTools.slice(start, end),
      ...(end < modernTools.length && { nextCursor: `page-${end}` }),
    } as never;
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const parameters = params.arguments ?? {};
    if (logs) await mcpReq.log('info', `called ${params.name}`);
    if (parameters['text'] === askFirst) {
      const answer = mcpReq.inputResponses?.['who'];
      if (answer === undefined) return whoFirst() as never;
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    }
    if (params.name === 'slow') await sleep(Number(parameters['delayMs'] ?? 1000));
    return found(modernToolResult(params.name, parameters), `Unknown tool: ${params.name}`);
  });
  if (onlyTools) return server;
  server.setRequestHandler('prompts/list', () => ({ prompts: modernPrompts }) as never);
  server.setRequestHandler('prompts/get', ({ params }) =>
    found(modernPrompt(params.name, params.arguments ?? {}), `Unknown prompt: ${params.name}`),
  );
  server.setRequestHandler('resources/list', () => ({ resources: modernResources }) as never);
  server.setRequestHandler(
    'resources/templates/list',
    () => ({ resourceTemplates: modernResourceTemplates }) as never,
  );
  server.setRequestHandler('resources/read', ({ params }) =>
    found(modernResource(params.uri), `Unknown resource: ${params.uri}`),
  );
  return server;
}

/** If `echo` is called with this text, it asks the client for a name first. */
export const askFirst = 'Ask first.';

function whoFirst() {
  const requestedSchema = {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
  };
  const who = inputRequired.elicit({ message: 'Who is there?', requestedSchema });
  return inputRequired({ inputRequests: { who }, requestState: 'asked-once' });
}

function found(value: Record<string, unknown> | undefined, message: string): never {
  if (value === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  // The cast is safe, because the value follows the protocol.
  return value as never;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetchFrom: (request: Request) => Promise<Response>,
  calls: ModernCall[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  calls.push({ httpMethod: request.method ?? '', method: rpcMethodOf(body), headers });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answered = await fetchFrom(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(body.length > 0 && { body }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) {
    response.end();
    return;
  }
  const sent = Readable.fromWeb(answered.body as never);
  sent.on('error', () => response.destroy());
  sent.pipe(response);
}

function rpcMethodOf(body: Buffer): string | undefined {
  try {
    return (JSON.parse(body.toString()) as { method?: string }).method;
  } catch {
    return undefined;
  }
}
