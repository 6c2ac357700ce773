import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { complete, modernDiscovery } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { acceptSubscriptions } from '@proofmark/harness/mcp-servers/subscriptions.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { ServerEvent } from './server-events.ts';

let gateway: McpGateway;
beforeAll(() => {
  gateway = gatewayForTest();
});
afterAll(() => gateway.close());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const listChanged = 'notifications/tools/list_changed';

async function met(listen: FakeAnswer, tools: object = { listChanged: true }) {
  const server = await startFakeMcpServer({
    'server/discover': modernDiscovery({ tools }),
    'tools/list': complete({ tools: [] }),
    'subscriptions/listen': listen,
  });
  const events: ServerEvent[] = [];
  const sessions = gateway.ownSessions();
  const session = sessions.open(httpTarget(server.url), undefined, (event) => events.push(event));
  stops.push(() => sessions.close());
  stops.push(() => server.stop());
  const list = () => session.use((own) => own.listAll('tools'));
  await list();
  const listened = () => server.requests.filter(isListen);
  return { server, session, events, list, listened };
}

const isListen = ({ message }: FakeRequest) => message['method'] === 'subscriptions/listen';

test('a server that states listChanged is asked to announce changes of its tools', async () => {
  const { listen, announce } = acceptSubscriptions();
  const { events, listened, server } = await met(listen);
  expect(listened()).toHaveLength(1);
  expect(listened()[0]?.message['params']).toMatchObject({
    notifications: { toolsListChanged: true },
  });
  const methods = server.requests.map(({ message }) => message['method']);
  expect(methods.indexOf('subscriptions/listen')).toBeLessThan(methods.indexOf('tools/list'));
  announce();
  await vi.waitUntil(() => events.length > 0, 20_000);
  expect(events).toEqual([{ method: listChanged, params: expect.anything() }]);
});

test('a server of the published SDK announces changes', async () => {
  const server = await startModernServer({ announces: true, onlyModern: true });
  const events: ServerEvent[] = [];
  const sessions = gateway.ownSessions();
  const session = sessions.open(httpTarget(server.url), undefined, (event) => events.push(event));
  stops.push(() => sessions.close());
  stops.push(() => server.stop());
  await session.use((own) => own.listAll('tools'));
  server.toolsChanged();
  await vi.waitUntil(() => events.length > 0, 20_000);
  expect(events).toMatchObject([{ method: listChanged }]);
});

test('a server that does not state it is not asked', async () => {
  const { listened } = await met(acceptSubscriptions().listen, {});
  expect(listened()).toEqual([]);
});

test('a subscription that the server ends is opened again, and the gap is reported', async () => {
  const { listen, open } = acceptSubscriptions();
  const { events, listened, list } = await met(listen);
  open[0]?.end();
  await vi.waitUntil(() => events.length > 0, 20_000);
  expect(events).toEqual([{ mayHaveChanged: 'tools' }]);
  expect(listened()).toHaveLength(2);
  expect(await list()).toEqual([]);
});

test.each<[string, FakeAnswer]>([
  ['refuses it', (response, request) => sendJson(response, rpcError(request, -32_601, 'No.'))],
  ['answers it at once', (response, request) => sendJson(response, rpcResult(request, {}))],
  ['fails', (response) => response.writeHead(500).end()],
])('a server that states it and %s is used all the same', async (_, listen) => {
  const { list, events } = await met(listen);
  expect(await list()).toEqual([]);
  expect(events).toEqual([]);
});

test('a session that is closed opens no subscription again', async () => {
  const { listen, open } = acceptSubscriptions();
  const { session, listened } = await met(listen);
  await session.close();
  await vi.waitUntil(() => open[0]?.destroyed === true, 20_000);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(listened()).toHaveLength(1);
});
