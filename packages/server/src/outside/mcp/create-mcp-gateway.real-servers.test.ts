/**
 * The gateway returns exactly what a client of the protocol library receives from the same server.
 */
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  modernPrompt,
  modernResource,
  modernToolResult,
  modernTools,
} from '@proofmark/harness/mcp-servers/modern-primitives.ts';
import {
  everythingStdio,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpTarget } from './mcp-target.ts';

const calls: [string, Record<string, unknown>][] = [
  ['echo', { message: 'Ünïcode ✓ 👩‍👩‍👧 \u2028' }],
  ['get-sum', { a: 2, b: 3 }],
  ['get-tiny-image', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
];

describe.each(['streamableHttp', 'sse', 'stdio'] as const)('server-everything over %s', (mode) => {
  let gateway: McpGateway;
  let target: McpTarget;
  let direct: Client;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    gateway = gatewayForTest();
    stops.push(() => gateway.close());
    direct = new Client({ name: 'test', version: '1' });
    if (mode === 'stdio') {
      target = stdioTarget(everythingStdio());
      await direct.connect(new StdioClientTransport({ ...everythingStdio(), stderr: 'ignore' }));
    } else {
      const server = await startEverythingServer(mode);
      stops.push(() => server.stop());
      target = httpTarget(server.url);
      const url = new URL(server.url);
      await direct.connect(
        mode === 'sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
      );
    }
    stops.push(() => direct.close());
  }, 60_000);

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  test('the handshake is told as the server told it', async () => {
    const info = await gateway.use(target, async (session) => session.initInfo);
    expect(info).toEqual({
      protocolVersion: '2025-11-25',
      transport: mode === 'streamableHttp' ? 'streamable-http' : mode,
      serverCapabilities: direct.getServerCapabilities(),
      serverVersion: direct.getServerVersion(),
      instructions: direct.getInstructions(),
      clientCapabilities: {},
    });
  });

  test('lists are equal', async () => {
    const lists = await gateway.use(target, async (session) => ({
      tools: await session.listAll('tools'),
      prompts: await session.listAll('prompts'),
      resources: await session.listAll('resources'),
      resourceTemplates: await session.listAll('resourceTemplates'),
    }));
    expect(lists).toEqual({
      tools: (await direct.listTools()).tools,
      prompts: (await direct.listPrompts()).prompts,
      resources: (await direct.listResources()).resources,
      resourceTemplates: (await direct.listResourceTemplates()).resourceTemplates,
    });
  });

  test.each(calls)('%s gives the same result', async (name, parameters) => {
    const outcome = await gateway.use(target, (session) => session.callTool(name, parameters));
    const expected = await direct.callTool({ name, arguments: parameters });
    expect(withoutTimes(outcome.result)).toEqual(withoutTimes(expected));
    expect(outcome.outputCheck).toEqual(
      name === 'get-structured-content' ? { state: 'valid' } : undefined,
    );
  });

  test('prompts and resources are equal', async () => {
    const [prompt, resource] = await gateway.use(target, async (session) => [
      await session.getPrompt('args-prompt', { city: 'Zürich', state: 'ZH' }),
      await session.readResource('demo://resource/static/document/features.md'),
    ]);
    const parameters = { city: 'Zürich', state: 'ZH' };
    expect(prompt).toEqual(await direct.getPrompt({ name: 'args-prompt', arguments: parameters }));
    expect(resource).toEqual(
      await direct.readResource({ uri: 'demo://resource/static/document/features.md' }),
    );
  });
});

describe('a server on protocol 2026-07-28', () => {
  test('is spoken to in its own protocol, and nothing of its answers is lost', async () => {
    const gateway = gatewayForTest();
    const server = await startModernServer();
    try {
      await gateway.use(httpTarget(server.url), async (session) => {
        expect(session.initInfo.protocolVersion).toBe('2026-07-28');
        expect(await session.listAll('tools')).toEqual(modernTools);
        for (const name of ['picture', 'annotated', 'failing']) {
          const { result } = await session.callTool(name, {});
          const { _meta, ...rest } = modernToolResult(name, {}) ?? {};
          expect(result).toMatchObject({ ...rest, ...(_meta === undefined ? {} : { _meta }) });
        }
        const { result, outputCheck } = await session.callTool('structured', { city: 'Oslo' });
        expect(result).toMatchObject(modernToolResult('structured', { city: 'Oslo' }) ?? {});
        expect(outputCheck).toEqual({ state: 'valid' });
        const prompt = await session.getPrompt('greeting', { name: 'Zoë' });
        expect(prompt).toMatchObject(modernPrompt('greeting', { name: 'Zoë' }) ?? {});
        const resource = await session.readResource('pictures://one');
        expect(resource).toMatchObject(modernResource('pictures://one') ?? {});
      });
    } finally {
      await gateway.close();
      await server.stop();
    }
  });
});

/** Removes times, because some resources of the server contain the current time. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, 'time'));
}
