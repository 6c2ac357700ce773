import { request } from 'node:http';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { McpTarget } from '../mcp/mcp-target.ts';
import { openServerProxy, type ServerProxy } from './server-proxy.ts';

const gateway = gatewayForTest();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => gateway.close());

const message = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function open(
  answers: Readonly<Record<string, FakeAnswer>>,
  more: Partial<McpTarget> = {},
  headers: Record<string, string> = {},
): Promise<{ server: FakeMcpServer; proxy: ServerProxy }> {
  const server = await startFakeMcpServer(answers);
  ends.push(() => server.stop());
  const address = { kind: 'http', url: server.url, headers } as const;
  const target = httpTarget(server.url, { address, ...more });
  const proxy = await openServerProxy(server.url, (one) => gateway.forward(target, one));
  ends.push(() => proxy.close());
  return { server, proxy };
}

function post(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
    redirect: 'manual',
  });
}

/** `fetch` would not send this Host header. */
async function postAs(url: string, host: string, origin: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { host, origin } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end(JSON.stringify(message));
  });
}

test('a request reaches the server with the saved headers, which the suite does not know', async () => {
  const { server, proxy } = await open({ ping: {} }, {}, { 'x-api-key': 'a secret' });
  const answer = await post(proxy.url, { 'mcp-protocol-version': '2025-11-25' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: 1, result: {} });
  expect(server.requests[0]).toMatchObject({
    headers: { 'x-api-key': 'a secret', 'mcp-protocol-version': '2025-11-25' },
    message,
  });
  expect(proxy.seen()).toEqual({ statuses: [200], askedToWait: false, unfinishedCalls: 0 });
});

test('another path is not forwarded, since every program here can reach the port', async () => {
  const { server, proxy } = await open({ ping: {} });
  expect((await post(new URL('/mcp', proxy.url).href)).status).toBe(404);
  expect(server.requests).toEqual([]);
});

test('the server sees its own Host and Origin, and forged ones as they are', async () => {
  const { server, proxy } = await open({ ping: {} });
  const own = new URL(proxy.url);
  const there = new URL(server.url);
  await postAs(proxy.url, own.host, own.origin);
  expect(server.requests[0]?.headers).toMatchObject({ host: there.host, origin: there.origin });
  await postAs(proxy.url, 'evil.example.com', 'http://evil.example.com');
  expect(server.requests[1]?.headers).toMatchObject({
    host: 'evil.example.com',
    origin: 'http://evil.example.com',
  });
});

test('a redirect to another origin never reaches the suite', async () => {
  const { proxy } = await open({
    ping: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/x' }).end(),
  });
  const answer = await post(proxy.url);
  expect(answer.status).toBe(502);
  expect(answer.headers.get('location')).toBeNull();
  expect(proxy.seen().failure?.message).toContain('another origin');
});

test('a token is sent, and renewed once after the server refused it', async () => {
  const asked: string[] = [];
  const tokens = {
    current: async () => 'old',
    after: async (refused: string) => {
      asked.push(refused);
      return 'new';
    },
  };
  const { server, proxy } = await open(
    {
      ping: (response, { headers }) =>
        headers.authorization === 'Bearer new'
          ? response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
          : response.writeHead(401).end(),
    },
    { tokens },
  );
  expect((await post(proxy.url)).status).toBe(200);
  expect(asked).toEqual(['old']);
  expect(server.requests).toHaveLength(2);
});

test('a request to wait, a missing answer and an open call are told apart', async () => {
  const { proxy, server } = await open({
    ping: (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
  });
  await post(proxy.url);
  expect(proxy.seen()).toMatchObject({ statuses: [503], askedToWait: true });
  await server.stop();
  ends.shift();
  expect((await post(proxy.url)).status).toBe(502);
  expect(proxy.seen().failure?.details).toMatchObject({ systemCode: 'ECONNREFUSED' });

  const silent = await open({ ping: () => undefined });
  const left = new AbortController();
  const waiting = fetch(silent.proxy.url, {
    method: 'POST',
    body: JSON.stringify(message),
    signal: left.signal,
  }).catch(() => undefined);
  await expect.poll(() => silent.server.requests.length).toBe(1);
  expect(silent.proxy.seen().unfinishedCalls).toBe(1);
  left.abort();
  await waiting;
  expect(silent.proxy.seen().unfinishedCalls).toBe(1);
});

test('an error of our own is kept for the caller and not shown to the suite', async () => {
  const problem = new Error('the database of Proofmark');
  const tokens = { current: () => Promise.reject(problem), after: async () => undefined };
  const { proxy } = await open({ ping: {} }, { tokens });
  const answer = await post(proxy.url);
  expect(answer.status).toBe(502);
  expect(await answer.text()).not.toContain('database');
  expect(proxy.seen().ownError).toEqual({ error: problem });
});
