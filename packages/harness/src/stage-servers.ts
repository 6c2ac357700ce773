/**
 * The servers of the stage table (trials with known failures): one with two tools and valid
 * responses, and several with one fault each.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type FakeAnswer,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from './mcp-servers/fake-mcp-server.ts';

type Json = Record<string, unknown>;

export type ToolScript =
  | { readonly result: Json }
  | { readonly error: { readonly code: number; readonly message: string } }
  | 'cut';

export type StageServer =
  | { readonly kind: 'good'; readonly weather?: ToolScript; readonly outputSchema?: Json }
  /** The server answers this method with this HTTP status. */
  | { readonly kind: 'status'; readonly method: string; readonly status: number }
  /** No server listens at the address. */
  | { readonly kind: 'refused' };

export const stageTools = [
  {
    name: 'weather',
    description: 'The weather in a city.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
  { name: 'clock', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

export async function startStageServer(
  server: StageServer,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (server.kind === 'refused') return { url: await closedPort(), stop: async () => undefined };
  const answers: Record<string, FakeAnswer> = {
    'tools/list': { tools: toolsOf(server) },
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      const script = name === 'weather' && server.kind === 'good' ? server.weather : undefined;
      if (script === 'cut') response.socket?.destroy();
      else if (script !== undefined && 'error' in script) {
        sendJson(response, rpcError(request, script.error.code, script.error.message));
      } else sendJson(response, rpcResult(request, script?.result ?? usualResult));
    },
  };
  if (server.kind === 'status') {
    const { method, status } = server;
    const refuse: FakeAnswer = (response) => response.writeHead(status).end();
    answers[method] = refuse;
    // With protocol 2026-07-28, clients send `server/discover` instead of `initialize`.
    if (method === 'initialize') answers['server/discover'] = refuse;
  }
  return startFakeMcpServer(answers);
}

function toolsOf(server: StageServer): Json[] {
  const outputSchema = server.kind === 'good' ? server.outputSchema : undefined;
  const [weather, ...others] = stageTools;
  return outputSchema === undefined ? stageTools : [{ ...weather, outputSchema }, ...others];
}

const usualResult = { content: [{ type: 'text', text: 'It is sunny.' }] };

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/mcp`;
}
