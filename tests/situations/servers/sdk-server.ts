/**
 * A server on the published SDK of version 1, over Streamable HTTP or the older SSE, with tools
 * that send requests to the client.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';
import type { ServerStart, StartedServer } from '../situation.ts';

export function sdk(mode: 'http' | 'sse' = 'http'): ServerStart {
  return (fixture) => fixture.shared(`sdk ${mode}`, () => startSdkServer(mode));
}

async function startSdkServer(mode: 'http' | 'sse'): Promise<StartedServer> {
  const web = mode === 'http' ? new Map<string, StreamableHTTPServerTransport>() : undefined;
  const streams = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    const done =
      web === undefined ? overSse(streams, request, response) : overHttp(web, request, response);
    done.catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${mode === 'http' ? 'mcp' : 'sse'}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function overHttp(
  transports: Map<string, StreamableHTTPServerTransport>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const known = transports.get(String(request.headers['mcp-session-id'] ?? ''));
  if (known !== undefined) return known.handleRequest(request, response);
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
    onsessionclosed: (id) => void transports.delete(id),
  });
  await weatherServer().connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
}

async function overSse(
  streams: Map<string, SSEServerTransport>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'GET' && url.pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    response.on('close', () => streams.delete(transport.sessionId));
    return weatherServer().connect(transport);
  }
  const transport = streams.get(url.searchParams.get('sessionId') ?? '');
  if (transport !== undefined && url.pathname === '/messages') {
    return transport.handlePostMessage(request, response);
  }
  response.writeHead(url.pathname === '/sse' ? 405 : 404).end();
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function weatherServer(): McpServer {
  const server = new McpServer(
    { name: 'sdk-1', version: '1' },
    {
      capabilities: { tasks: { requests: { tools: { call: {} } } } },
      taskStore: new InMemoryTaskStore(),
    },
  );
  server.registerTool(
    'weather',
    { description: 'The weather in a city.', inputSchema: { city: z.string() } },
    async ({ city }) => textResult(`It is sunny in ${city}.`),
  );
  server.registerTool(
    'forecast',
    {
      description: 'The weather of tomorrow in a city.',
      inputSchema: { city: z.string() },
      outputSchema: { degrees: z.number() },
    },
    async () => ({ ...textResult('{"degrees":21}'), structuredContent: { degrees: 21 } }),
  );
  server.registerTool(
    'ask-model',
    { description: 'Asks a model several times.', inputSchema: { times: z.number() } },
    async ({ times }) => textResult(await askModel(server, times)),
  );
  server.registerTool('ask-name', { description: 'Asks who you are.' }, async () => {
    const answer = await server.server.elicitInput({
      message: 'What is your name?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    });
    return textResult(`You ${answer.action}: ${String(answer.content?.['name'] ?? 'nobody')}.`);
  });
  server.registerTool('show-roots', { description: 'Shows the folders it may use.' }, async () =>
    textResult(JSON.stringify(await server.server.listRoots())),
  );
  server.registerTool('sign-in', { description: 'Asks you to sign in.' }, async () => {
    const { action } = await server.server.elicitInput({
      mode: 'url',
      message: 'Sign in.',
      url: 'https://one.example/',
      elicitationId: 'one',
    });
    return textResult(`You ${action}.`);
  });
  server.experimental.tasks.registerToolTask(
    'brew',
    {
      description: 'Brews tea, as a task.',
      execution: { taskSupport: 'required' },
      inputSchema: {},
    },
    {
      createTask: async (_args, { taskStore }) => {
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
        await taskStore.storeTaskResult(task.taskId, 'completed', textResult('The tea is ready.'));
        return { task };
      },
      getTask: async (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: async (_args, { taskId, taskStore }) =>
        (await taskStore.getTaskResult(taskId)) as ReturnType<typeof textResult>,
    },
  );
  return server;
}

/** Sends several sampling requests to the client, and returns how many of them were answered. */
async function askModel({ server }: McpServer, times: number): Promise<string> {
  let answered = 0;
  let last = '';
  for (let number = 1; number <= times; number += 1) {
    try {
      const { content } = await server.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: `Question ${number}` } }],
        maxTokens: 50,
      });
      answered += 1;
      last = JSON.stringify(content);
    } catch {
      break;
    }
  }
  return `${answered} of ${times} were answered, last ${last}`;
}
