import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer, textOf } from './hostile-servers.ts';

type Json = Record<string, unknown>;

export type Step =
  | { readonly result: Json }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | ((response: ServerResponse, request: IncomingMessage) => unknown);

/**
 * Starts a server that responds to each method by the script. By default, `initialize` and
 * notifications get a valid response.
 */
export async function startScriptedServer(
  script: Readonly<Record<string, Step>>,
  capabilities: Json = { tools: {}, prompts: {}, resources: {} },
) {
  const methods: string[] = [];
  const started = await startServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await textOf(request)) as { id?: number; method: string };
    methods.push(message.method);
    const step = script[message.method] ?? usual(message.method, capabilities);
    if (typeof step === 'function') return step(response, request);
    if (message.id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...step }));
  });
  return { ...started, url: `${started.url}/mcp`, methods };
}

function usual(method: string, capabilities: Json): Step {
  if (method === 'initialize') {
    const serverInfo = { name: 'scripted', version: '1.0.0' };
    return { result: { protocolVersion: '2025-06-18', capabilities, serverInfo } };
  }
  return { error: { code: -32601, message: 'Method not found' } };
}
