/** Tools with an invalid `x-mcp-header` are hidden over HTTP at the modern revisions. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { excludeTools, type Json } from '@proofmark/domain';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcError,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  failureOf,
  gatewayForTest,
  httpTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { modernAnswers } from '@proofmark/harness/mcp-servers/modern-answers.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';

let gateway: McpGateway;
beforeAll(() => {
  gateway = gatewayForTest();
});
afterAll(() => gateway.close());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) await stop();
});

async function serve(answers: Record<string, FakeAnswer>): Promise<FakeMcpServer> {
  const server = await startFakeMcpServer(answers);
  stops.push(() => server.stop());
  return server;
}

const asked = ({ requests }: FakeMcpServer, method: string) =>
  requests.filter(({ message }) => message['method'] === method);

const tool = (name: string, header: string, type = 'string') => ({
  name,
  inputSchema: { type: 'object', properties: { value: { type, 'x-mcp-header': header } } },
});
const [good, bad] = [tool('good', 'Region'), tool('bad', 'My Region')];
const excluded = {
  toolName: 'bad',
  reason: 'notToken',
  path: '/inputSchema/properties/value/x-mcp-header',
};
const refused = {
  code: 'FEATURE_NOT_SUPPORTED',
  details: { reason: 'TOOL_EXCLUDED', toolName: 'bad', headerReason: 'notToken' },
};

describe('a modern server over HTTP', () => {
  test('has no excluded tool in a list or a page of one', async () => {
    const server = await serve(modernAnswers({ tools: [bad, good] }));
    await gateway.use(httpTarget(server.url), async (session) => {
      const page = await session.listTools();
      expect(page).toMatchObject({ items: [good], excludedTools: [excluded] });
      expect(await session.listAll('tools')).toEqual([good]);
      expect(session.excludedTools).toMatchObject([excluded]);
    });
  });

  test('gets no call of it, also if nothing was listed before', async () => {
    const server = await serve(modernAnswers({ tools: [bad, good] }));
    const call = gateway.use(httpTarget(server.url), (session) => session.callTool('bad', {}));
    expect(await failureOf(call)).toMatchObject(refused);
    expect(asked(server, 'tools/call')).toEqual([]);
  });

  test('gets the arguments of other tools as headers, also if nothing was listed before', async () => {
    const server = await serve(modernAnswers({ tools: [bad, good] }));
    await gateway.use(httpTarget(server.url), (session) =>
      session.callTool('good', { value: 'eu west' }),
    );
    const [call] = asked(server, 'tools/call');
    expect(call?.headers).toMatchObject({ 'mcp-param-region': 'eu west', 'mcp-name': 'good' });
  });

  test('gets them although the schema is too large to remember', async () => {
    const { inputSchema } = good;
    const description = 'x'.repeat(400_000);
    const large = { name: 'large', inputSchema: { ...inputSchema, description } };
    const server = await serve(modernAnswers({ tools: [large] }));
    await gateway.use(httpTarget(server.url), async (session) => {
      await session.listAll('tools');
      await session.callTool('large', { value: 'eu' });
    });
    expect(asked(server, 'tools/call')[0]?.headers['mcp-param-region']).toBe('eu');
  });

  test('may correct a tool while a session is open', async () => {
    const tools = [bad];
    const server = await serve(modernAnswers({ tools }));
    await gateway.use(httpTarget(server.url), async (session) => {
      expect(await failureOf(session.callTool('bad', {}))).toMatchObject(refused);
      tools[0] = tool('bad', 'Region');
      expect((await session.callTool('bad', { value: 'eu' })).result).toHaveProperty('content');
    });
    expect(asked(server, 'tools/call')[0]?.headers['mcp-param-region']).toBe('eu');
  });

  test('gets a call again that it refused for headers which it has changed', async () => {
    const tools = [tool('moved', 'Old')];
    const server = await serve({
      ...modernAnswers({ tools }),
      'tools/call': requiresHeader('mcp-param-new'),
    });
    await gateway.use(httpTarget(server.url), async (session) => {
      await session.listAll('tools');
      tools[0] = tool('moved', 'New');
      expect((await session.callTool('moved', { value: 'eu' })).result).toHaveProperty('content');
    });
    const sent = asked(server, 'tools/call').map(({ headers }) => headers['mcp-param-new']);
    expect(sent).toEqual([undefined, 'eu']);
  });

  test('gets no second call if its list is as it was', async () => {
    const server = await serve({
      ...modernAnswers({ tools: [good] }),
      'tools/call': requiresHeader('mcp-param-new'),
    });
    const call = gateway.use(httpTarget(server.url), (session) =>
      session.callTool('good', { value: 'eu' }),
    );
    expect(await failureOf(call)).toMatchObject({ details: { mcpErrorCode: -32_020 } });
    expect(asked(server, 'tools/call')).toHaveLength(1);
  });

  test('is called although it cannot list its tools', async () => {
    const failing: FakeAnswer = (response, request) =>
      sendJson(response, rpcError(request, -32_603, 'It broke.'));
    const server = await serve({ ...modernAnswers(), 'tools/list': failing });
    const call = gateway.use(httpTarget(server.url), (session) => session.callTool('echo', {}));
    expect((await call).result).toHaveProperty('content');
  });
});

test('at an older revision the header has no meaning', async () => {
  const server = await serve({ 'tools/list': { tools: [bad, good] } });
  await gateway.use(httpTarget(server.url), async (session) => {
    expect(await session.listAll('tools')).toEqual([bad, good]);
    expect(session.excludedTools).toEqual([]);
    await session.callTool('bad', { value: 'eu' });
  });
  const [call] = asked(server, 'tools/call');
  expect(Object.keys(call?.headers ?? {}).join()).not.toContain('mcp-param');
  expect(asked(server, 'tools/list')).toHaveLength(1);
});

test('the published client excludes the same tools', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const tools: Json[] = fc
    .sample(anySchema, { numRuns: 400, seed: 7 })
    .map((inputSchema, index) => ({ name: `tool-${index}`, inputSchema }));
  const server = await serve(modernAnswers({ tools }));
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  stops.push(() => client.close());
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  const { kept, excluded: hidden } = excludeTools(tools);
  expect(kept.map(({ name }) => name)).toEqual(listed);
  expect(hidden.length).toBeGreaterThan(30);
  expect(kept.length).toBeGreaterThan(30);
});

const names = fc.constantFrom('a', 'b', 'x-mcp-header', 'a/b');
const leaf = {
  type: fc.constantFrom('string', 'integer', 'boolean', 'number', 'object'),
  'x-mcp-header': fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('Id', 'ID', 'A', 'B-1', 'C', '', 'a b', 7) },
  ),
  default: fc.constant({ 'x-mcp-header': '' }),
};
const within = (schema: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.record(
    {
      ...leaf,
      properties: fc.dictionary(names, schema, { maxKeys: 3 }),
      items: schema,
      anyOf: fc.array(schema, { maxLength: 1 }),
      $defs: fc.dictionary(names, schema, { maxKeys: 1 }),
    },
    { requiredKeys: ['type'] },
  );
const anySchema = within(within(fc.record(leaf, { requiredKeys: ['type'] }))).map((schema) => {
  const { 'x-mcp-header': _, ...root } = schema as Record<string, unknown>;
  return JSON.parse(JSON.stringify({ ...root, type: 'object' })) as Json;
});

function requiresHeader(name: string): FakeAnswer {
  return (response, request) => {
    if (request.headers[name] === undefined) {
      sendJson(response, rpcError(request, -32_020, 'A header is missing.'), 400);
    } else {
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
      sendJson(response, { jsonrpc: '2.0', id: request.message['id'], result });
    }
  };
}
