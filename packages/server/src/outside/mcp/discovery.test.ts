/** A session opens with `server/discover`, and only some answers lead back to `initialize`. */

import {
  type FakeAnswer,
  type FakeMcpServer,
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
import { modernDiscovery } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';

let gateway: McpGateway;
beforeAll(() => {
  gateway = gatewayForTest();
});
afterAll(() => gateway.close());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function discovering(discover: FakeAnswer) {
  const server = await startFakeMcpServer({ 'server/discover': discover });
  stops.push(() => server.stop());
  const meet = () => gateway.use(httpTarget(server.url), async (session) => session.initInfo);
  return { server, meet };
}

const errorOf =
  (code: number, status: number, data?: object): FakeAnswer =>
  (response, request) => {
    const { error, ...message } = rpcError(request, code, 'No.') as { error: object };
    sendJson(response, { ...message, error: { ...error, ...(data && { data }) } }, status);
  };

const methodsOf = ({ requests }: FakeMcpServer) =>
  requests.map(({ method, message }) => message['method'] ?? method);

test.each([200, 400])(
  'no error of the newer era leads back to initialize, with HTTP %i',
  async (status) => {
    for (const code of [-32_020, -32_021, -32_022]) {
      const { server, meet } = await discovering(errorOf(code, status));
      await failureOf(meet());
      expect(methodsOf(server)).toEqual(['server/discover']);
    }
  },
);

test('a refused version is told with the versions that the server names', async () => {
  const { meet } = await discovering(errorOf(-32_022, 400, { supported: ['2025-11-25'] }));
  const { details, message } = await failureOf(meet());
  expect(details['reason']).toBe('PROTOCOL_VERSION');
  expect(message).toContain('names only 2025-11-25');
});

test('a header that does not match is the error of the server', async () => {
  const { meet } = await discovering(errorOf(-32_020, 400));
  expect((await failureOf(meet())).details).toMatchObject({ mcpErrorCode: -32_020 });
});

test('a server that requires a capability to be discovered is not to blame', async () => {
  const requiredCapabilities = { extensions: { 'com.example/one': {} } };
  const { meet } = await discovering(errorOf(-32_021, 400, { requiredCapabilities }));
  const { details } = await failureOf(meet());
  expect(details['missingAbility']).toBe('the extension com.example/one');
});

test.each<[string, FakeAnswer]>([
  ['an unknown method', errorOf(-32_601, 200)],
  ['an error of another kind', errorOf(-32_603, 500)],
  ['HTTP 400 without a body', (response) => response.writeHead(400).end()],
  ['HTTP 500', (response) => response.writeHead(500).end('<html>')],
  ['HTTP 503', (response) => response.writeHead(503).end()],
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
  ['nothing', (response) => response.writeHead(202).end()],
  ['a result of another request', { tools: [] }],
  ['only versions of the older era', { ...modernDiscovery(), supportedVersions: ['2025-11-25'] }],
])('a server that answers server/discover with %s is asked to initialize', async (_, answer) => {
  const { server, meet } = await discovering(answer);
  expect((await meet()).protocolVersion).toBe('2025-06-18');
  expect(methodsOf(server)).toContain('initialize');
});

test('a server that failed once is asked again, and one of the newer era is not taken for older', async () => {
  const failing = [true, false, true];
  const { server } = await discovering((response, request) =>
    failing.shift()
      ? response.writeHead(502).end('<html>')
      : sendJson(response, rpcResult(request, modernDiscovery())),
  );
  const sessions = gateway.ownSessions();
  stops.push(() => sessions.close());
  const versionNow = async () => {
    const session = sessions.open(httpTarget(server.url));
    const version = await session.use(async ({ initInfo }) => initInfo.protocolVersion);
    await session.close();
    return version;
  };
  expect(await versionNow()).toBe('2025-06-18');
  expect(await versionNow()).toBe('2026-07-28');
  await expect(versionNow()).rejects.toMatchObject({ details: { status: 502 } });
});

test.each([401, 403, 429])('HTTP %i leads nowhere', async (status) => {
  const { server, meet } = await discovering((response) => response.writeHead(status).end());
  await failureOf(meet());
  expect(methodsOf(server)).toEqual(['server/discover']);
});

test('the older handshake declares no tasks extension, and the newer requests do', async () => {
  const { server, meet } = await discovering(errorOf(-32_601, 200));
  expect((await meet()).clientCapabilities).toEqual({});
  const [initialized] = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(initialized?.message['params']).toMatchObject({ capabilities: {} });
  expect(JSON.stringify(initialized?.message)).not.toContain('tasks');
  const modern = await discovering(modernDiscovery());
  expect(JSON.stringify((await modern.meet()).clientCapabilities)).toContain('/tasks');
});

test('an answer without its type is read as complete', async () => {
  const { resultType: _, ...untyped } = modernDiscovery();
  const server = await startFakeMcpServer({ 'server/discover': untyped });
  stops.push(() => server.stop());
  const { tools, protocolVersion } = await gateway.use(httpTarget(server.url), async (session) => ({
    tools: await session.listAll('tools'),
    protocolVersion: session.initInfo.protocolVersion,
  }));
  expect([tools.length, protocolVersion]).toEqual([1, '2026-07-28']);
});
