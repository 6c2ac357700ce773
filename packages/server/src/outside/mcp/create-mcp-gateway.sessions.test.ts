import type { ServerResponse } from 'node:http';
import {
  type FakeAnswer,
  type FakeMcpServer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  failureOf,
  gatewayForTest,
  httpTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

const handshake = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'fake', version: '1' },
};

const withSession = (response: ServerResponse, request: FakeRequest): void => {
  response.setHeader('mcp-session-id', `session-${Math.random()}`);
  sendJson(response, rpcResult(request, handshake));
};

test('calls one after the other and at once share a session', async () => {
  const { gateway, server } = await given({ initialize: withSession });
  const target = httpTarget(server.url);
  const call = () => gateway.use(target, (session) => session.callTool('echo', {}));
  await call();
  await Promise.all([call(), call(), call()]);
  expect(asked(server, 'initialize')).toBe(1);
});

test('targets with another identity do not', async () => {
  const { gateway, server } = await given({ initialize: withSession });
  for (const identity of ['one', 'two']) {
    await gateway.use(httpTarget(server.url, { identity }), (session) => session.listTools());
  }
  expect(asked(server, 'initialize')).toBe(2);
});

test('a session nobody uses is ended, and the server is told', async () => {
  const { gateway, server } = await given({ initialize: withSession }, { sessionIdleMs: 50 });
  await gateway.use(httpTarget(server.url), (session) => session.listTools());
  await expect
    .poll(() => server.requests.filter(({ method }) => method === 'DELETE').length)
    .toBe(1);
});

test('a forgotten server is met anew', async () => {
  const { gateway, server } = await given({ initialize: withSession });
  const use = () => gateway.use(httpTarget(server.url), (session) => session.listTools());
  await use();
  gateway.forget('another');
  await use();
  expect(asked(server, 'initialize')).toBe(1);
  gateway.forget('server');
  await use();
  expect(asked(server, 'initialize')).toBe(2);
});

describe('a session that the server lost', () => {
  test('is opened again, and the call is made once more', async () => {
    let isLost = false;
    const { gateway, server } = await given({
      initialize: (response, request) => {
        isLost = false;
        withSession(response, request);
      },
      'tools/call': (response, request) => {
        if (isLost)
          sendJson(response, { error: { code: -32001, message: 'Session not found' } }, 404);
        else sendJson(response, rpcResult(request, { content: [] }));
      },
    });
    const call = () =>
      gateway.use(httpTarget(server.url), (session) => session.callTool('echo', {}));
    await call();
    isLost = true;
    expect((await call()).result).toEqual({ content: [] });
    expect(asked(server, 'initialize')).toBe(2);
  });

  test('is opened again once for requests at the same time', async () => {
    let isLost = false;
    const { gateway, server } = await given({
      initialize: (response, request) => {
        isLost = false;
        withSession(response, request);
      },
      'tools/list': (response, request) => {
        if (isLost) response.writeHead(404).end();
        else sendJson(response, rpcResult(request, { tools: [] }));
      },
    });
    const use = () =>
      gateway.use(httpTarget(server.url), (session) =>
        Promise.all([session.listTools(), session.listTools(), session.listTools()]),
      );
    await use();
    isLost = true;
    expect(await use()).toEqual([{ items: [] }, { items: [] }, { items: [] }]);
    expect(asked(server, 'initialize')).toBe(2);
  });

  test.each([
    ['400 and -32000', 400, -32000, 2, 2],
    ['404 and -32001', 404, -32001, 2, 2],
    ['400 and -32600', 400, -32600, 2, 2],
    ['410 and nothing', 410, undefined, 2, 2],
    // A tool itself may return these codes with status 200, so the call is not repeated. But the
    // session is replaced before the next call.
    ['200 and -32000', 200, -32000, 1, 2],
    ['200 and -32001', 200, -32001, 1, 2],
    // Code -32603 (internal error) may come after the tool was executed, so the call is not
    // repeated.
    ['409 and -32603', 409, -32603, 1, 2],
    // These errors are not about the session.
    ['400 and -32602', 400, -32602, 1, 1],
    ['200 and -32050', 200, -32050, 1, 1],
    ['429', 429, undefined, 1, 1],
    ['503 with a time', 503, undefined, 1, 1],
  ])('%s: how often it is called, and met', async (_, status, code, calls, meetings) => {
    let isLost = false;
    const { gateway, server } = await given({
      initialize: (response, request) => {
        isLost = false;
        withSession(response, request);
      },
      'tools/call': (response, request) => {
        if (!isLost) return sendJson(response, rpcResult(request, { content: [] }));
        if (status === 503) response.setHeader('retry-after', '1');
        if (code === undefined) return response.writeHead(status).end();
        return sendJson(response, rpcError(request, code, 'No.'), status);
      },
    });
    const call = () =>
      gateway.use(httpTarget(server.url), (session) => session.callTool('echo', {}));
    await call();
    isLost = true;
    const outcome = await call().then(
      () => 2,
      () => 1,
    );
    expect(outcome).toBe(calls);
    expect(asked(server, 'tools/call')).toBe(1 + calls);
    isLost = false;
    await call();
    expect(asked(server, 'initialize')).toBe(meetings);
  });

  test('is not opened a third time', async () => {
    const { gateway, server } = await given({
      initialize: withSession,
      'tools/call': (response) => response.writeHead(404).end(),
    });
    await gateway.use(httpTarget(server.url), (session) => session.listTools());
    await failureOf(gateway.use(httpTarget(server.url), (session) => session.callTool('echo', {})));
    expect(asked(server, 'tools/call')).toBe(2);
  });

  test('a call that may have arrived is never made twice; a list is', async () => {
    let cuts = 0;
    const cut: FakeAnswer = (response, request) => {
      cuts += 1;
      if (cuts === 2) sendJson(response, rpcResult(request, { tools: [], content: [] }));
      else response.destroy();
    };
    const { gateway, server } = await given({
      initialize: withSession,
      'prompts/list': { prompts: [] },
      'tools/call': (response) => response.destroy(),
      'tools/list': cut,
    });
    const target = httpTarget(server.url);
    await gateway.use(target, async (session) => session.initInfo);
    await failureOf(gateway.use(target, (session) => session.callTool('echo', {})));
    expect(asked(server, 'tools/call')).toBe(1);
    await gateway.use(target, async (session) => session.initInfo);
    expect(await gateway.use(target, (session) => session.listTools())).toEqual({ items: [] });
  });
});

describe('an organization at its limit', () => {
  const hang: FakeAnswer = () => undefined;

  test('waits for a slot until the deadline, and is told', async () => {
    const { gateway, server } = await given(
      { 'tools/call': hang },
      { maxSessionsPerOrganization: 1, callMs: 3000, maxWaitingPerOrganization: 1 },
    );
    const at = (identity: string, organizationId: string) =>
      httpTarget(server.url, { identity, organizationId });
    const hanging = failureOf(gateway.use(at('1', 'A'), (session) => session.callTool('echo', {})));
    await expect.poll(() => asked(server, 'tools/call')).toBe(1);
    const impatient = { ...at('2', 'A'), timeoutMs: 150 };
    const waiting = failureOf(gateway.use(impatient, (session) => session.listTools()));
    const turnedAway = failureOf(gateway.use(at('3', 'A'), (session) => session.listTools()));
    expect((await turnedAway).details['reason']).toBe('TOO_MANY_SESSIONS');
    // Another organization has its own limit and is not affected.
    expect((await gateway.use(at('4', 'B'), (session) => session.listTools())).items).toHaveLength(
      1,
    );
    expect((await waiting).code).toBe('RATE_LIMITED');
    expect((await hanging).code).toBe('TIMEOUT');
  });

  test('asking whether a grant is wanted takes a slot too, and ends with its caller', async () => {
    const { gateway, server } = await given(
      { initialize: hang },
      { maxSessionsPerOrganization: 1, maxWaitingPerOrganization: 0 },
    );
    const caller = new AbortController();
    const target = httpTarget(server.url);
    const asking = gateway.requiresOAuth(target, { signal: caller.signal });
    await expect.poll(() => asked(server, 'initialize')).toBe(1);
    expect((await failureOf(gateway.requiresOAuth(target))).code).toBe('RATE_LIMITED');
    caller.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
    expect(asked(server, 'initialize')).toBe(1);
  });

  test('an idle session makes room', async () => {
    const { gateway, server } = await given({}, { maxSessionsPerOrganization: 1 });
    for (const identity of ['1', '2', '3']) {
      const target = httpTarget(server.url, { identity });
      expect((await gateway.use(target, (session) => session.listTools())).items).toHaveLength(1);
    }
  });
});

describe('access tokens', () => {
  function server(accepted: string): Promise<{ gateway: McpGateway; server: FakeMcpServer }> {
    const guarded =
      (result: Record<string, unknown>): FakeAnswer =>
      (response, request) => {
        const isGood = request.headers['authorization'] === `Bearer ${accepted}`;
        if (isGood) sendJson(response, rpcResult(request, result));
        else
          response
            .writeHead(401, {
              'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:1/"',
            })
            .end();
      };
    return given({
      initialize: guarded(handshake),
      'server/discover': guarded({}),
      'tools/call': guarded({ content: [] }),
    });
  }

  test('go over a saved header, and a refused one is replaced once', async () => {
    const { gateway, server: fake } = await server('new');
    const refused: string[] = [];
    let token = 'old';
    const tokens = {
      current: async () => token,
      after: async (old: string) => {
        refused.push(old);
        token = 'new';
        return token;
      },
    };
    const address = {
      kind: 'http' as const,
      url: fake.url,
      headers: { Authorization: 'Basic saved' },
    };
    const target = httpTarget(fake.url, { tokens, address });
    await gateway.use(target, (session) => session.callTool('echo', {}));
    expect(refused).toEqual(['old']);
    expect(new Set(fake.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer old', 'Bearer new']),
    );
  });

  test('that stay refused, or are over, end in OAUTH_REQUIRED without more attempts', async () => {
    const { gateway, server: fake } = await server('other');
    const tokens = { current: async () => 'old', after: async () => 'also-old' };
    const target = httpTarget(fake.url, { tokens });
    expect((await failureOf(gateway.use(target, (session) => session.listTools()))).code).toBe(
      'OAUTH_REQUIRED',
    );
    expect(fake.requests).toHaveLength(2);
    const over = { current: async () => undefined, after: async () => undefined };
    const ended = httpTarget(fake.url, { tokens: over, identity: 'over' });
    expect((await failureOf(gateway.use(ended, (session) => session.listTools()))).code).toBe(
      'OAUTH_REQUIRED',
    );
    expect(fake.requests).toHaveLength(2);
  });

  test('that cannot be read because of us are no fault of the server', async () => {
    const { gateway, server: fake } = await server('good');
    const own = new Error('the database is away');
    let fails = true;
    const current = async () => {
      if (fails) throw own;
      return 'good';
    };
    const target = httpTarget(fake.url, { tokens: { current, after: async () => undefined } });
    const call = () => gateway.use(target, (session) => session.callTool('echo', {}));
    await expect(call()).rejects.toBe(own);
    fails = false;
    await call();
    fails = true;
    await expect(call()).rejects.toBe(own);
    const after = () => Promise.reject(own);
    const old = { tokens: { current: async () => 'old', after }, identity: 'old' };
    const refused = gateway.use(httpTarget(fake.url, old), (session) => session.listTools());
    await expect(refused).rejects.toBe(own);
  });

  test('a server that wants a grant is known without credentials', async () => {
    const { gateway, server: fake } = await server('good');
    const address = {
      kind: 'http' as const,
      url: fake.url,
      headers: { authorization: 'Bearer good' },
    };
    expect(await gateway.requiresOAuth(httpTarget(fake.url, { address }))).toBe(true);
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    const free = await given({});
    expect(await free.gateway.requiresOAuth(httpTarget(free.server.url))).toBe(false);
  });
});

test('the stream of a session outlives the deadline of a call', async () => {
  let streams = 0;
  let closedStreams = 0;
  const { gateway, server } = await given(
    {
      initialize: withSession,
      GET: (response) => {
        streams += 1;
        response.on('close', () => {
          closedStreams += 1;
        });
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      },
    },
    { callMs: 300 },
  );
  const use = () => gateway.use(httpTarget(server.url), (session) => session.listTools());
  await use();
  await expect.poll(() => streams).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await use();
  expect({ streams, closedStreams, handshakes: asked(server, 'initialize') }).toEqual({
    streams: 1,
    closedStreams: 0,
    handshakes: 1,
  });
  await gateway.close();
  await expect.poll(() => closedStreams).toBe(1);
});

async function given(
  answers: Record<string, FakeAnswer>,
  limits: Partial<McpLimits> = {},
): Promise<{ gateway: McpGateway; server: FakeMcpServer }> {
  const server = await startFakeMcpServer(answers);
  open.push(server);
  const gateway = gatewayForTest({ callMs: 5_000, ...limits });
  open.push({ stop: () => gateway.close() });
  return { server, gateway };
}

function asked(server: FakeMcpServer, method: string): number {
  return server.requests.filter(({ message }) => message['method'] === method).length;
}
