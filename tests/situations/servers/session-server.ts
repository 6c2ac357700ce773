/**
 * A server that stores a count in each session. It rejects unknown sessions, as a server does after
 * a restart.
 */
import { randomUUID } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { ServerStart, StartedServer } from '../situation.ts';

export interface SessionServer extends StartedServer {
  forget(): void;
  readonly opened: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
}

const tools = [
  { name: 'count', description: 'Counts up.', inputSchema: { type: 'object' } },
  { name: 'weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } },
];

export function sessions(
  refusal: { readonly status: number; readonly code: number } = { status: 400, code: -32_000 },
): ServerStart {
  return async () => {
    const counts = new Map<string, number>();
    const opened = new Set<string>();
    const called = new Set<string>();
    const idOf = ({ headers }: FakeRequest) => String(headers['mcp-session-id'] ?? '');
    const known =
      (answer: (request: FakeRequest) => unknown): FakeAnswer =>
      (response, request) => {
        if (counts.has(idOf(request))) {
          sendJson(response, rpcResult(request, answer(request)));
        } else {
          const words = 'Bad Request: No valid session ID provided';
          sendJson(response, rpcError(request, refusal.code, words), refusal.status);
        }
      };
    const server = await startFakeMcpServer({
      initialize: (response, request) => {
        const id = randomUUID();
        counts.set(id, 0);
        opened.add(id);
        response.setHeader('mcp-session-id', id);
        sendJson(response, rpcResult(request, greeting));
      },
      'tools/list': known(() => ({ tools })),
      'tools/call': known((request) => {
        const count = (counts.get(idOf(request)) ?? 0) + 1;
        counts.set(idOf(request), count);
        called.add(idOf(request));
        return { content: [{ type: 'text', text: `Count ${count}.` }] };
      }),
    });
    return { ...server, opened, called, forget: () => counts.clear() } satisfies SessionServer;
  };
}

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'sessions', version: '1' },
};
