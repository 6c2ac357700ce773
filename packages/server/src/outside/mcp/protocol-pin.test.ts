/** If a target states a version, either that version is used or the connection fails. */

import {
  type FakeAnswer,
  rpcError,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  failureOf,
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  everythingStdio,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import {
  type ModernServerOptions,
  startModernServer,
} from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
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

const meet = (target: McpTarget) => gateway.use(target, async (session) => session.initInfo);
const notSpoken = (protocolVersion: string) => ({
  code: 'SERVER_UNREACHABLE',
  details: { reason: 'PROTOCOL_VERSION', protocolVersion },
});

async function modern(options?: ModernServerOptions) {
  const server = await startModernServer(options);
  stops.push(() => server.stop());
  return server;
}

async function fake(answers: Record<string, FakeAnswer>) {
  const server = await startFakeMcpServer(answers);
  stops.push(() => server.stop());
  return server;
}

const initialized = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  serverInfo: { name: 'fake', version: '1' },
});

describe('a server of both kinds', () => {
  test('is spoken to in the newer version without a handshake of the older', async () => {
    const server = await modern();
    const info = await meet(httpTarget(server.url, { protocolVersion: '2026-07-28' }));
    expect(info.protocolVersion).toBe('2026-07-28');
    expect(server.calls.map(({ method }) => method)).not.toContain('initialize');
  });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'is spoken to in %s without being asked for the newer',
    async (protocolVersion) => {
      const server = await modern();
      const target = httpTarget(server.url, { protocolVersion });
      await gateway.use(target, async (session) => {
        expect(session.initInfo.protocolVersion).toBe(protocolVersion);
        await session.listTools();
      });
      expect(server.calls.map(({ method }) => method)).not.toContain('server/discover');
      const listed = server.calls.find(({ method }) => method === 'tools/list');
      expect(listed?.headers['mcp-protocol-version']).toBe(protocolVersion);
    },
  );
});

describe('older servers', () => {
  test.each(['streamableHttp', 'sse'] as const)(
    'server-everything over %s speaks the older version that is named',
    async (mode) => {
      const server = await startEverythingServer(mode);
      stops.push(() => server.stop());
      const info = await meet(httpTarget(server.url, { protocolVersion: '2025-03-26' }));
      expect(info.protocolVersion).toBe('2025-03-26');
    },
  );

  test('server-everything over stdio speaks it too', async () => {
    const target = stdioTarget(everythingStdio(), { protocolVersion: '2024-11-05' });
    expect((await meet(target)).protocolVersion).toBe('2024-11-05');
  });

  test('and not the newer one', async () => {
    const server = await startEverythingServer('streamableHttp');
    stops.push(() => server.stop());
    const target = httpTarget(server.url, { protocolVersion: '2026-07-28' });
    expect(await failureOf(meet(target))).toMatchObject(notSpoken('2026-07-28'));
  });
});

describe('a version that is not spoken', () => {
  test('is told where the server knows only the newer kind', async () => {
    const server = await modern({ onlyModern: true });
    const target = httpTarget(server.url, { protocolVersion: '2025-06-18' });
    expect(await failureOf(meet(target))).toMatchObject(notSpoken('2025-06-18'));
  });

  test('is told where the server knows another of the newer kind', async () => {
    const server = await modern();
    const target = httpTarget(server.url, { protocolVersion: '2099-01-01' });
    expect(await failureOf(meet(target))).toMatchObject(notSpoken('2099-01-01'));
  });

  test('is told where the server answers with another, though we know that one', async () => {
    const server = await fake({ initialize: initialized('2025-03-26') });
    const target = httpTarget(server.url, { protocolVersion: '2025-06-18' });
    expect(await failureOf(meet(target))).toMatchObject(notSpoken('2025-06-18'));
    expect(server.requests[0]?.message['params']).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  test('is told where the server refuses it in words', async () => {
    const server = await fake({
      initialize: (response, request) =>
        sendJson(response, rpcError(request, -32602, 'Unsupported protocol version')),
    });
    const target = httpTarget(server.url, { protocolVersion: '2025-06-18' });
    expect(await failureOf(meet(target))).toMatchObject(notSpoken('2025-06-18'));
  });

  test.each(['newest', '2025-06-18\r\nx-evil: 1', '2025-6-18'])(
    'is told at once where %j is no version, and nothing is sent',
    async (protocolVersion) => {
      const server = await fake({});
      const target = httpTarget(server.url, { protocolVersion });
      expect(await failureOf(meet(target))).toMatchObject(notSpoken(protocolVersion));
      expect(server.requests).toEqual([]);
    },
  );
});

describe('another failure stays what it is', () => {
  test.each(['2025-06-18', '2026-07-28'])('in %s', async (protocolVersion) => {
    const refusing = await fake({
      'server/discover': (response) => response.writeHead(401).end(),
      initialize: (response) => response.writeHead(401).end(),
    });
    const failing = await fake({
      'server/discover': (response) => response.writeHead(503).end(),
      initialize: (response) => response.writeHead(503).end(),
    });
    const refused = await failureOf(meet(httpTarget(refusing.url, { protocolVersion })));
    expect(refused.code).toBe('OAUTH_REQUIRED');
    const failed = await failureOf(meet(httpTarget(failing.url, { protocolVersion })));
    expect(failed.details).toMatchObject({ reason: 'HTTP_ERROR', status: 503 });
  });
});

test('the examination tells it as a matter of the handshake', async () => {
  const server = await modern({ onlyModern: true });
  const report = await gateway.examine(httpTarget(server.url, { protocolVersion: '2025-06-18' }));
  expect(report.error).toMatchObject(notSpoken('2025-06-18'));
  expect(report.checks.connection.status).toBe('ok');
  expect(report.checks.initialization.status).toBe('error');
});
