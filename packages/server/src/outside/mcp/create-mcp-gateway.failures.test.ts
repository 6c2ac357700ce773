import { createServer as createTcpServer } from 'node:net';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcError,
  rpcResult,
  sendEvents,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  failureOf,
  gatewayForTest,
  httpTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createMcpGateway } from './create-mcp-gateway.ts';
import type { McpGateway, McpSession } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

const secret = 'sk-very-secret-value';

describe('each thing a server does wrong has its code', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const raw =
    (body: string, type = 'application/json', status = 200): FakeAnswer =>
    (response) =>
      response.writeHead(status, { 'content-type': type }).end(body);
  const never: FakeAnswer = () => undefined;

  test.each<[string, Record<string, FakeAnswer>, string, unknown]>([
    [
      '401 at the handshake',
      { initialize: raw('', 'text/plain', 401) },
      'OAUTH_REQUIRED',
      undefined,
    ],
    ['401 after it', { 'tools/call': raw('', 'text/plain', 401) }, 'OAUTH_REQUIRED', undefined],
    ['403', { 'tools/call': raw('', 'text/plain', 403) }, 'FORBIDDEN', 'CREDENTIALS_REJECTED'],
    [
      '429',
      { 'tools/call': raw('', 'text/plain', 429) },
      'SERVER_UNREACHABLE',
      'TARGET_RATE_LIMITED',
    ],
    ['500', { 'tools/call': raw('oops', 'text/plain', 500) }, 'SERVER_UNREACHABLE', 'HTTP_ERROR'],
    [
      '500 at the handshake',
      {
        'server/discover': raw('oops', 'text/plain', 500),
        initialize: raw('oops', 'text/plain', 500),
      },
      'SERVER_UNREACHABLE',
      'HTTP_ERROR',
    ],
    [
      '404 everywhere',
      {
        '*': raw('no', 'text/html', 404),
        GET: raw('no', 'text/html', 404),
        initialize: raw('no', 'text/html', 404),
        'server/discover': raw('no', 'text/html', 404),
      },
      'SERVER_UNREACHABLE',
      'HTTP_ERROR',
    ],
    [
      'HTML',
      { 'server/discover': raw('<html>', 'text/html'), initialize: raw('<html>', 'text/html') },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'cut JSON',
      { 'tools/call': raw('{"jsonrpc":"2.0","id"') },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'a text as result',
      { 'tools/call': (response, request) => sendJson(response, rpcResult(request, 'text')) },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'a text as result in a stream',
      { 'tools/call': (response, request) => sendEvents(response, [rpcResult(request, 'text')]) },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'another id',
      { 'tools/call': raw('{"jsonrpc":"2.0","id":999,"result":{"content":[]}}') },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'another id in a stream',
      {
        'tools/call': (response) => sendEvents(response, [{ jsonrpc: '2.0', id: 999, result: {} }]),
      },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    ['deep JSON', { 'tools/call': raw(deep) }, 'SERVER_UNREACHABLE', 'RESPONSE_TOO_LARGE'],
    [
      'deep JSON in a stream',
      { 'tools/call': raw(`data: ${deep}\n\n`, 'text/event-stream') },
      'SERVER_UNREACHABLE',
      'RESPONSE_TOO_LARGE',
    ],
    [
      '202 instead of an answer',
      { 'tools/call': raw('', 'text/plain', 202) },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
    [
      'a stream that ends at once',
      { 'tools/call': raw('', 'text/event-stream') },
      'SERVER_UNREACHABLE',
      'CONNECTION_CLOSED',
    ],
    [
      'a cut connection',
      { 'tools/call': (response) => response.destroy() },
      'SERVER_UNREACHABLE',
      'UNREACHABLE',
    ],
    [
      'a large body',
      { 'tools/call': { content: [{ type: 'text', text: 'x'.repeat(60_000) }] } },
      'SERVER_UNREACHABLE',
      'RESPONSE_TOO_LARGE',
    ],
    [
      'a large event',
      { 'tools/call': raw(`data: ${'x'.repeat(60_000)}`, 'text/event-stream') },
      'SERVER_UNREACHABLE',
      'RESPONSE_TOO_LARGE',
    ],
    [
      'many small events',
      {
        'tools/call': raw(
          'data: {"jsonrpc":"2.0","method":"n"}\n\n'.repeat(8_000),
          'text/event-stream',
        ),
      },
      'SERVER_UNREACHABLE',
      'RESPONSE_TOO_LARGE',
    ],
    ['silence', { 'tools/call': never }, 'TIMEOUT', undefined],
    ['silence at the handshake', { 'server/discover': never }, 'TIMEOUT', undefined],
    [
      'silence after the headers',
      {
        'tools/call': (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
      },
      'TIMEOUT',
      undefined,
    ],
    [
      'a stream without an answer',
      { 'tools/call': (response) => sendEvents(response, []) },
      'TIMEOUT',
      undefined,
    ],
    [
      'invalid parameters',
      { 'tools/call': (response, request) => sendJson(response, rpcError(request, -32602, 'bad')) },
      'VALIDATION_ERROR',
      'INVALID_PARAMS',
    ],
    [
      'invalid parameters with an HTTP error',
      {
        'tools/call': (response, request) =>
          sendJson(response, rpcError(request, -32602, 'bad'), 400),
      },
      'VALIDATION_ERROR',
      'INVALID_PARAMS',
    ],
    [
      'an error of its own',
      { 'tools/call': (response, request) => sendJson(response, rpcError(request, -32000, 'no')) },
      'SERVER_UNREACHABLE',
      'SERVER_ERROR',
    ],
    [
      'no tools',
      {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'f', version: '1' },
        },
      },
      'FEATURE_NOT_SUPPORTED',
      undefined,
    ],
    [
      'an unknown protocol',
      {
        initialize: {
          protocolVersion: '1999-01-01',
          capabilities: {},
          serverInfo: { name: 'f', version: '1' },
        },
      },
      'SERVER_UNREACHABLE',
      'PROTOCOL_VERSION',
    ],
    [
      'a redirect to another origin',
      {
        'server/discover': (response) =>
          response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      },
      'SERVER_UNREACHABLE',
      'EGRESS_BLOCKED',
    ],
    [
      'a redirect without end',
      {
        'server/discover': (response) => response.writeHead(307, { location: '/mcp' }).end(),
        initialize: (response) => response.writeHead(307, { location: '/mcp' }).end(),
      },
      'SERVER_UNREACHABLE',
      'INVALID_RESPONSE',
    ],
  ])('%s', async (_title, answers, code, reason) => {
    const { gateway, target } = await given(answers);
    const failure = await failureOf(gateway.use(target, (session) => session.callTool('echo', {})));
    expect({ code: failure.code, reason: failure.details['reason'] }).toEqual({ code, reason });
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(secret);
  });

  test('a closed port, with the name the system has for it', async () => {
    const probe = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const gateway = gatewayOf();
    const target = targetOf({ url: `http://127.0.0.1:${port}/mcp` });
    const failure = await failureOf(gateway.use(target, (session) => session.listTools()));
    expect(failure.details).toMatchObject({ reason: 'UNREACHABLE', systemCode: 'ECONNREFUSED' });
  });

  test('an address that is not allowed', async () => {
    const gateway = createMcpGateway({
      egress: { allowLoopback: false, allowedPrivateHosts: [] },
      client: { name: 'test', version: '1' },
    });
    open.push({ stop: () => gateway.close() });
    const failure = await failureOf(
      gateway.use(targetOf({ url: 'http://127.0.0.1:1/' }), (session) => session.listTools()),
    );
    expect(failure.details['reason']).toBe('EGRESS_BLOCKED');
  });
});

test('what a server echoes of our credentials is not quoted', async () => {
  const { gateway, target } = await given({
    'tools/call': (response, request) =>
      sendJson(
        response,
        rpcError(request, -32000, `bad ${request.headers['authorization']}\u0007\n`),
      ),
  });
  const failure = await failureOf(gateway.use(target, (session) => session.callTool('echo', {})));
  expect(failure.message).toBe('The server answered with an error: bad [hidden]');
});

describe('lists', () => {
  test('end at the sixty-fourth page', async () => {
    let pages = 0;
    const { gateway, target } = await given(
      {
        'tools/list': (response, request) => {
          pages += 1;
          sendJson(response, rpcResult(request, { tools: [], nextCursor: `page-${pages}` }));
        },
      },
      { callMs: 20_000 },
    );
    const failure = await failureOf(gateway.use(target, (session) => session.listAll('tools')));
    expect(failure.details).toMatchObject({
      reason: 'RESPONSE_TOO_LARGE',
      limit: 64,
      unit: 'pages',
    });
    expect(pages).toBe(64);
  });

  test('end at a cursor that comes twice', async () => {
    const { gateway, target } = await given({ 'tools/list': { tools: [], nextCursor: 'same' } });
    const failure = await failureOf(gateway.use(target, (session) => session.listAll('tools')));
    expect(failure.details['reason']).toBe('INVALID_RESPONSE');
  });

  test('end at two thousand items', async () => {
    const tools = Array.from({ length: 2001 }, (_, index) => ({ name: `t${index}` }));
    const { gateway, target } = await given({ 'tools/list': { tools } }, { maxMessageBytes: 1e6 });
    const failure = await failureOf(gateway.use(target, (session) => session.listTools()));
    expect(failure.details['reason']).toBe('RESPONSE_TOO_LARGE');
  });

  test('are empty where the server lacks the capability, and one page of them is refused', async () => {
    const { gateway, target } = await given({
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'f', version: '1' },
      },
    });
    expect(await gateway.use(target, (session) => session.listAll('prompts'))).toEqual([]);
    const failure = await failureOf(gateway.use(target, (session) => session.listPrompts()));
    expect(failure.code).toBe('FEATURE_NOT_SUPPORTED');
  });
});

test('the text of a tool that answers with an error is quoted without what was sent as a secret', async () => {
  const key = 'kept-secret-0123456789';
  const { gateway, target } = await given({
    'tools/call': (response, request) => {
      const text = `The key ${request.headers['x-key']} is\nnot known.`;
      sendJson(response, rpcResult(request, { isError: true, content: [{ type: 'text', text }] }));
    },
  });
  const { address } = target;
  if (address.kind !== 'http') throw new Error('The target is no address.');
  const keyed: McpTarget = { ...target, address: { ...address, headers: { 'x-key': key } } };
  const outcome = await gateway.use(keyed, (session) => session.callTool('echo', {}));
  expect(JSON.stringify(outcome.result)).toContain(key);
  expect(outcome.errorText).toBe('The key [hidden] is not known.');
});

test('requests of the server that nobody answers are refused, there are no roots, and the call goes on', async () => {
  const asked = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'something/else'];
  const { gateway, target, server } = await given({
    'tools/call': (response, request) => {
      sendEvents(
        response,
        asked.map((method, index) => ({ jsonrpc: '2.0', id: `s${index}`, method, params: {} })),
      );
      setTimeout(() => {
        response.end(`data: ${JSON.stringify(rpcResult(request, { content: [] }))}\n\n`);
      }, 200);
    },
  });
  const rich = { ...target, clientCapabilities: { sampling: {}, elicitation: {}, roots: {} } };
  await gateway.use(rich, (session) => session.callTool('echo', {}));
  const messages = server.requests.map((request) => request.message);
  const refused = messages.filter((message) => 'error' in message);
  expect(refused.map((answer) => answer['id']).sort()).toEqual(['s0', 's1', 's3']);
  expect(messages).toContainEqual(expect.objectContaining({ id: 's2', result: { roots: [] } }));
  const made = messages.find((message) => message['method'] === 'initialize');
  expect(made?.['params']).toMatchObject({ capabilities: { roots: {} } });
  expect(JSON.stringify(made)).not.toMatch(/sampling|elicitation/);
});

test('a caller that gives up hears its own reason, and the session can be used again', async () => {
  const { gateway, target } = await given({ 'tools/call': () => undefined });
  const controller = new AbortController();
  const used = gateway.use(
    target,
    async (session: McpSession) => {
      setTimeout(() => controller.abort(new Error('gone')), 50);
      return session.callTool('echo', {});
    },
    { signal: controller.signal },
  );
  await expect(used).rejects.toThrow('gone');
  expect(await gateway.use(target, (session) => session.listAll('tools'))).toHaveLength(1);
});

async function given(
  answers: Record<string, FakeAnswer>,
  limits: Partial<McpLimits> = {},
): Promise<{ gateway: McpGateway; target: McpTarget; server: FakeMcpServer }> {
  const server = await startFakeMcpServer(answers);
  open.push(server);
  return { server, gateway: gatewayOf(limits), target: targetOf({ url: server.url }) };
}

function gatewayOf(limits: Partial<McpLimits> = {}): McpGateway {
  const small = { callMs: 1_500, firstByteMs: 700, maxMessageBytes: 50_000, maxCallBytes: 200_000 };
  const gateway = gatewayForTest({ ...small, ...limits });
  open.push({ stop: () => gateway.close() });
  return gateway;
}

function targetOf(address: { url: string }): McpTarget {
  const headers = { authorization: `Bearer ${secret}` };
  return httpTarget(address.url, { address: { kind: 'http', url: address.url, headers } });
}
