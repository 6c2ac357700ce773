/** A session that is lost while idle is never given to the next call. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterEach, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpTarget } from './mcp-target.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('a stream of the older transport that ends is not asked for again, and the next call gets a new session', async () => {
  const server = await startOlderServer();
  const gateway = givenGateway();
  const target = httpTarget(server.url);
  await callTool(gateway, target);
  expect(server.streams).toHaveLength(1);
  server.streams[0]?.end('retry: 0\n\n');
  // Waits long enough for many reconnections by a client that obeys the server's retry interval.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(server.streams).toHaveLength(1);
  expect(await callTool(gateway, target)).toEqual({ content: [] });
  expect(server.streams).toHaveLength(2);
});

test('a stream of the older transport that breaks is not asked for again either', async () => {
  const server = await startOlderServer();
  const gateway = givenGateway();
  await callTool(gateway, httpTarget(server.url));
  server.streams[0]?.write('id: 1\nretry: 0\n\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.streams[0]?.destroy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(server.streams).toHaveLength(1);
  expect(await callTool(gateway, httpTarget(server.url))).toEqual({ content: [] });
});

test('a program that ended while idle is started again for the next call', async () => {
  const gateway = givenGateway();
  const target = stdioTarget({ command: process.execPath, args: ['-e', programThatEnds] });
  const first = await callTool(gateway, target);
  const pid = Number(first['pid']);
  await expect.poll(() => isRunning(pid)).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await callTool(gateway, target))['pid']).not.toBe(pid);
});

/** A program that ends soon after its first answer to a call. */
const programThatEnds = `
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/call': { content: [], pid: process.pid },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = answers[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'unknown' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    if (method === 'tools/call') setTimeout(() => process.exit(), 100);
  });
`;

function givenGateway(): McpGateway {
  const gateway = gatewayForTest({ callMs: 10_000 });
  closers.push(() => gateway.close());
  return gateway;
}

async function callTool(gateway: McpGateway, target: McpTarget) {
  return (await gateway.use(target, (session) => session.callTool('echo', {}))).result;
}

async function startOlderServer() {
  const streams: ServerResponse[] = [];
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'older', version: '1' },
    },
    'tools/call': { content: [] },
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      streams.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    if (request.url !== '/messages') {
      response.writeHead(405).end();
      return;
    }
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    response.writeHead(202).end();
    if (id === undefined) return;
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'unknown' } };
    streams.at(-1)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, streams };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
