/** What an examination tells about each revision of MCP. */
import type { ServerResponse } from 'node:http';
import type { RevisionFinding } from '@proofmark/domain';
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
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  discovery,
  modernAnswers,
  unsupportedVersion,
} from '@proofmark/harness/mcp-servers/modern-answers.ts';
import {
  everythingStdio,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';

let gateway: McpGateway;
beforeAll(() => {
  gateway = gatewayForTest();
});
afterAll(() => gateway.close());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(answers: Record<string, FakeAnswer>): Promise<FakeMcpServer> {
  const server = await startFakeMcpServer(answers);
  stops.push(() => server.stop());
  return server;
}

async function quick(limits: Partial<McpLimits>): Promise<McpGateway> {
  const own = gatewayForTest(limits);
  stops.push(() => own.close());
  return own;
}

const revisionsOf = async (target: McpTarget) => (await gateway.examine(target)).revisions;
const statesOf = (revisions: readonly RevisionFinding[]) =>
  revisions.map(({ revision, state }) => `${revision} ${state}`);
const rulesOf = (revisions: readonly RevisionFinding[], revision = '2026-07-28') =>
  revisions
    .find((one) => one.revision === revision)
    ?.problems.map(({ rule, method }) => `${rule} ${method}`);
const methods = ({ requests }: FakeMcpServer) =>
  requests.map(({ method, message }) => String(message['method'] ?? method));

const older = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const spoken = (revisions: readonly string[]) => revisions.map((one) => `${one} spoken`);
const refused = (revisions: readonly string[]) => revisions.map((one) => `${one} refused`);

describe('the revisions of published servers', () => {
  test('a server of both eras speaks all', async () => {
    const server = await startModernServer();
    stops.push(() => server.stop());
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(revisions.flatMap(({ problems }) => problems)).toEqual([]);
    expect(statesOf(revisions)).toEqual(spoken(['2026-07-28', ...older]));
    expect(revisions.map(({ era }) => era)).toEqual(['modern', ...older.map(() => 'legacy')]);
  });

  test('a server of the modern era alone refuses the others as prescribed', async () => {
    const server = await startModernServer({ onlyModern: true });
    stops.push(() => server.stop());
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(statesOf(revisions)).toEqual(['2026-07-28 spoken', ...refused(older)]);
    expect(revisions.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test.each(['streamableHttp', 'sse'] as const)(
    'server-everything over %s refuses the modern one, and is not charged with it',
    async (mode) => {
      const server = await startEverythingServer(mode);
      stops.push(() => server.stop());
      const revisions = await revisionsOf(httpTarget(server.url));
      expect(statesOf(revisions)).toEqual(['2026-07-28 refused', ...spoken(older)]);
      expect(revisions.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  test('server-everything over stdio, too', async () => {
    const revisions = await revisionsOf(stdioTarget(everythingStdio()));
    expect(statesOf(revisions)).toEqual(['2026-07-28 refused', ...spoken(older)]);
  });
});

describe('a server of the modern era', () => {
  test('that answers in the old shape is broken, and still ready', async () => {
    const fields = { resultType: undefined, ttlMs: undefined, cacheScope: undefined };
    const server = await serve(modernAnswers({ fields }));
    const report = await gateway.examine(httpTarget(server.url));
    expect(report.status).toBe('ready');
    expect(statesOf(report.revisions)[0]).toBe('2026-07-28 broken');
    expect(rulesOf(report.revisions)).toEqual([
      'result-type-missing server/discover',
      'result-type-missing tools/list',
      'ttl-missing server/discover',
      'ttl-missing tools/list',
      'cache-scope server/discover',
      'cache-scope tools/list',
    ]);
  });

  test('that refuses an unknown revision in another way is told so', async () => {
    const answers = modernAnswers();
    const invalid = unsupportedVersion(undefined, -32_602);
    const result = { ...discovered(), capabilities: { tools: {} } };
    const server = await serve({ ...answers, 'server/discover': discovery(result, invalid) });
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(rulesOf(revisions)).toEqual(['version-error server/discover']);
  });

  test('that refuses the older handshake in another way is told so at each of them', async () => {
    const initialize: FakeAnswer = (response, request) =>
      sendJson(response, rpcError(request, -32_601, 'Method not found'));
    const server = await serve({ ...modernAnswers(), initialize });
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(statesOf(revisions)).toEqual(['2026-07-28 spoken', ...refused(older)]);
    for (const one of older) expect(rulesOf(revisions, one)).toEqual(['version-error initialize']);
  });

  test('that lists in another order each time is told so', async () => {
    let times = 0;
    const list: FakeAnswer = (response, request) => {
      times += 1;
      const tools = ['a', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } }));
      const ordered = times % 2 === 0 ? tools.reverse() : tools;
      const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      sendJson(response, rpcResult(request, { tools: ordered, ...cached }));
    };
    const server = await serve({ ...modernAnswers(), 'tools/list': list });
    expect(rulesOf(await revisionsOf(httpTarget(server.url)))).toEqual([
      'list-order-unstable tools/list',
    ]);
  });

  test('that hides tools by their headers is told so, with the tools', async () => {
    const value = { type: 'number', 'x-mcp-header': 'A' };
    const bad = { name: 'bad', inputSchema: { type: 'object', properties: { value } } };
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const server = await serve(modernAnswers({ tools: [bad, good] }));
    const report = await gateway.examine(httpTarget(server.url));
    expect(report).toMatchObject({
      status: 'ready',
      tools: [good],
      excludedTools: [{ toolName: 'bad', reason: 'notPrimitive' }],
    });
    expect(report.checks.tools.detail).toBe('1 tool. 1 tool is excluded.');
    expect(rulesOf(report.revisions)).toEqual(['header-parameter-invalid tools/list']);
  });

  test('that states completions and fails is told so', async () => {
    const capabilities = { tools: {}, prompts: {}, completions: {} };
    const answers = modernAnswers({ capabilities });
    const prompts = [{ name: 'greet', arguments: [{ name: 'who' }] }];
    const listed = { prompts, resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const server = await serve({ ...answers, 'prompts/list': listed });
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(rulesOf(revisions)).toEqual(['completion completion/complete']);
    expect(methods(server).filter((one) => one === 'completion/complete')).toHaveLength(1);
  });
});

describe('a server of the legacy era', () => {
  test('that agrees on one revision refuses the others', async () => {
    const server = await serve({});
    const revisions = await revisionsOf(httpTarget(server.url));
    expect(statesOf(revisions)).toEqual([
      '2026-07-28 refused',
      '2025-11-25 refused',
      '2025-06-18 spoken',
      '2025-03-26 refused',
      '2024-11-05 refused',
    ]);
    expect(revisions[0]?.detail).toBe('The server agrees on 2025-06-18 instead.');
  });

  test('is asked no more than is needed', async () => {
    const server = await serve({ initialize: echoing });
    await gateway.examine(httpTarget(server.url));
    const count = (method: string) => methods(server).filter((one) => one === method).length;
    expect({
      discover: count('server/discover'),
      initialize: count('initialize'),
      // The examination lists twice, and each other revision once.
      tools: count('tools/list'),
      prompts: count('prompts/list'),
    }).toEqual({ discover: 1, initialize: 4, tools: 5, prompts: 1 });
  });

  test('that breaks at one revision is broken only there', async () => {
    const initialize: FakeAnswer = (response, request) => {
      const { protocolVersion } = request.message['params'] as { protocolVersion: string };
      if (protocolVersion !== '2025-03-26') echoing(response, request);
      else sendJson(response, rpcError(request, -32_603, 'It broke.'));
    };
    const server = await serve({ initialize });
    expect(statesOf(await revisionsOf(httpTarget(server.url)))).toEqual([
      '2026-07-28 refused',
      '2025-11-25 spoken',
      '2025-06-18 spoken',
      '2025-03-26 broken',
      '2024-11-05 spoken',
    ]);
  });
});

describe('a server that hangs', () => {
  const never: FakeAnswer = () => undefined;

  test('is left alone after two revisions without an answer', async () => {
    const own = await quick({ revisionMs: 200 });
    let handshakes = 0;
    const initialize: FakeAnswer = (response, request) => {
      handshakes += 1;
      if (handshakes === 1) echoing(response, request);
    };
    const server = await serve({ initialize });
    const { status, revisions } = await own.examine(httpTarget(server.url));
    expect(status).toBe('ready');
    expect(statesOf(revisions)).toEqual([
      '2026-07-28 refused',
      '2025-11-25 spoken',
      '2025-06-18 broken',
      '2025-03-26 broken',
      '2024-11-05 broken',
    ]);
    expect(handshakes).toBe(3);
    expect(revisions.at(-1)?.detail).toMatch(/^Not asked, /);
  });

  test('during its lists is asked no list again', async () => {
    const own = await quick({ revisionMs: 200, callMs: 300 });
    const server = await serve({ initialize: echoing, 'tools/list': never });
    const { status, revisions } = await own.examine(httpTarget(server.url));
    expect(status).toBe('partial');
    expect(revisions.filter(({ state }) => state === 'broken')).toHaveLength(4);
    // The examination once, and one revision more: then two in a row were late.
    expect(methods(server).filter((one) => one === 'tools/list')).toHaveLength(2);
  });

  test('ends the examination with its caller', async () => {
    const own = await quick({ revisionMs: 60_000 });
    let handshakes = 0;
    const caller = new AbortController();
    const initialize: FakeAnswer = (response, request) => {
      handshakes += 1;
      if (handshakes === 1) echoing(response, request);
      else caller.abort(new Error('The caller left.'));
    };
    const server = await serve({ initialize });
    const examined = own.examine(httpTarget(server.url), { signal: caller.signal });
    await expect(examined).rejects.toThrow('The caller left.');
  });
});

test.each<[string, FakeAnswer]>([
  ['that wants credentials', (response) => response.writeHead(401).end()],
  ['that has no endpoint there', (response) => response.writeHead(404).end()],
])('a server %s is asked at no revision', async (_, answer) => {
  const server = await serve({ 'server/discover': answer, initialize: answer });
  expect(await revisionsOf(httpTarget(server.url))).toEqual([]);
});

test('a client that speaks one revision alone does not keep others from being asked', async () => {
  const server = await startModernServer();
  stops.push(() => server.stop());
  const report = await gateway.examine(httpTarget(server.url, { protocolVersion: '2025-06-18' }));
  expect(report.initInfo).toMatchObject({ protocolVersion: '2025-06-18' });
  expect(statesOf(report.revisions)).toEqual(spoken(['2026-07-28', ...older]));
});

const echoing = (response: ServerResponse, request: FakeRequest): void => {
  const { protocolVersion } = request.message['params'] as { protocolVersion: string };
  const serverInfo = { name: 'fake', version: '1' };
  const capabilities = { tools: {}, prompts: {} };
  sendJson(response, rpcResult(request, { protocolVersion, capabilities, serverInfo }));
};

function discovered() {
  return {
    supportedVersions: ['2026-07-28'],
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } },
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  };
}
