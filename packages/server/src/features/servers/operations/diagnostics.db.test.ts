import { createHash } from 'node:crypto';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { canonicalToolSurface, doctorChecks } from '@proofmark/domain';
import {
  type DiagnosedServer,
  saveServer,
  saveStdioServer,
} from '@proofmark/harness/diagnosed-server.ts';
import { connectDirectly, type DirectClient } from '@proofmark/harness/direct-client.ts';
import {
  everythingStdio,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StdioAddress } from '../../../outside/mcp/mcp-target.ts';

type Json = Record<string, unknown>;

const stdioEnvironment = { GREETING: 'grüß dich' };
const stdioAddress: StdioAddress = { kind: 'stdio', ...everythingStdio(), env: stdioEnvironment };

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ stdioAddressOf: () => stdioAddress });
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

interface Kind {
  readonly transport: 'streamable-http' | 'sse' | 'stdio';
  readonly calls: readonly (readonly [name: string, parameters?: Json])[];
  readonly prompts: readonly (readonly [name: string, parameters?: Record<string, string>])[];
  readonly uris: readonly string[];
  start(): Promise<{
    readonly ours: DiagnosedServer;
    readonly direct: DirectClient;
    stop(): Promise<void>;
  }>;
}

const strange = 'žluťoučký 日本語 👩‍👩‍👧 \u2028 "quoted" \\ </script> \u007f';
const everything = {
  calls: [
    ['echo', { message: strange }],
    ['get-sum', { a: 1.5, b: -2 }],
    ['get-sum', { a: 'no number' }],
    ['get-tiny-image'],
    ['get-structured-content', { location: 'New York' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
  ],
  prompts: [['simple-prompt'], ['args-prompt', { city: 'Zürich', state: 'ZH' }]],
  uris: ['demo://resource/static/document/architecture.md'],
} as const;

const kinds: Readonly<Record<string, Kind>> = {
  'server-everything over Streamable HTTP': {
    ...everything,
    transport: 'streamable-http',
    start: () => overHttp(startEverythingServer('streamableHttp'), StreamableHTTPClientTransport),
  },
  'server-everything over SSE': {
    ...everything,
    transport: 'sse',
    start: () => overHttp(startEverythingServer('sse'), SSEClientTransport),
  },
  'server-everything over stdio': {
    ...everything,
    transport: 'stdio',
    async start() {
      const direct = await connectDirectly(
        new StdioClientTransport({ ...everythingStdio(), stderr: 'ignore' }),
      );
      const ours = await saveStdioServer(service, tenant);
      return { ours, direct, stop: () => direct.close() };
    },
  },
  'a server on protocol 2026-07-28': {
    transport: 'streamable-http',
    calls: [
      ['echo', { text: strange }],
      ['structured', { city: 'Århus' }],
      ['failing'],
      ['picture'],
      ['annotated'],
    ],
    prompts: [['greeting', { name: 'Ида', language: 'русский' }], ['plain']],
    uris: ['notes://first', 'pictures://one'],
    start: () => overHttp(startModernServer(), StreamableHTTPClientTransport),
  },
};

async function overHttp(
  starting: Promise<{ url: string; stop(): Promise<void> }>,
  DirectTransport: typeof StreamableHTTPClientTransport | typeof SSEClientTransport,
) {
  const started = await starting;
  const direct = await connectDirectly(new DirectTransport(new URL(started.url)));
  return {
    ours: await saveServer(service, tenant, { url: started.url }),
    direct,
    async stop() {
      await direct.close();
      await started.stop();
    },
  };
}

describe.each(Object.entries(kinds))('%s', (_name, kind) => {
  let ours: DiagnosedServer;
  let direct: DirectClient;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ ours, direct, stop } = await kind.start());
  });
  afterAll(() => stop());

  async function answerOf(operation: string, body: Json = {}): Promise<Json> {
    const answer = await ours.ask(operation, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  test('validate tells what the server says about itself', async () => {
    const { client } = direct;
    const instructions = client.getInstructions();
    expect(await answerOf('validate')).toEqual({
      success: true,
      status: 'connected',
      initInfo: expect.objectContaining({
        protocolVersion: client.getNegotiatedProtocolVersion(),
        transport: kind.transport,
        serverCapabilities: client.getServerCapabilities(),
        serverVersion: client.getServerVersion(),
        // Only the newer era has the tasks extension.
        clientCapabilities:
          client.getProtocolEra() === 'modern'
            ? { extensions: { 'io.modelcontextprotocol/tasks': {} } }
            : {},
        ...(instructions !== undefined && { instructions }),
      }),
    });
  });

  test.each([
    ['tools', 'tools/list', 'tools'],
    ['prompts', 'prompts/list', 'prompts'],
    ['resources', 'resources/list', 'resources'],
    ['resources/templates', 'resources/templates/list', 'resourceTemplates'],
  ])('%s is walked page by page as the server cuts it', async (operation, method, field) => {
    let cursor: unknown;
    do {
      const page = cursor === undefined ? {} : { cursor };
      const expected = await direct.request(method, page);
      const found = await answerOf(operation, page);
      expect(JSON.stringify(found['items'])).toBe(JSON.stringify(expected[field]));
      expect(found['nextCursor']).toBe(expected['nextCursor']);
      expect(Object.keys(found)).toEqual(
        'nextCursor' in expected ? ['items', 'nextCursor'] : ['items'],
      );
      cursor = expected['nextCursor'];
    } while (cursor !== undefined);
  });

  test.each(kind.calls)('tools/call of %s is the result untouched', async (name, parameters) => {
    const expected = await direct.request('tools/call', { name, arguments: parameters ?? {} });
    const body = { toolName: name, ...(parameters && { parameters }) };
    const { durationMs, outputCheck, ...result } = await answerOf('tools/call', body);
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
    expect(durationMs).toBeGreaterThanOrEqual(0);
    if ('structuredContent' in expected) expect(outputCheck).toEqual({ state: 'valid' });
  });

  test.each(kind.prompts)('prompts/get of %s is verbatim', async (name, parameters) => {
    const expected = await direct.request('prompts/get', { name, arguments: parameters ?? {} });
    const body = { promptName: name, ...(parameters && { arguments: parameters }) };
    expect(JSON.stringify(await answerOf('prompts/get', body))).toBe(JSON.stringify(expected));
  });

  test.each(kind.uris)('resources/read of %s is verbatim', async (uri) => {
    const expected = await direct.request('resources/read', { uri });
    expect(JSON.stringify(await answerOf('resources/read', { uri }))).toBe(
      JSON.stringify(expected),
    );
  });

  test('export is the union of the lists, with the hash of the tools', async () => {
    const started = Date.now();
    const snapshot = await answerOf('export');
    const lists = {
      tools: await all('tools/list', 'tools'),
      resources: await all('resources/list', 'resources'),
      resourceTemplates: await all('resources/templates/list', 'resourceTemplates'),
      prompts: await all('prompts/list', 'prompts'),
    };
    expect(snapshot).toEqual({
      serverId: ours.id,
      exportedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      ...lists,
      toolSurfaceHash: createHash('sha256')
        .update(canonicalToolSurface([...lists.tools].reverse()))
        .digest('hex'),
    });
    expect(lists.tools.length).toBeGreaterThan(5);
    expect(Date.parse(String(snapshot['exportedAt']))).toBeGreaterThanOrEqual(started);
  });

  async function all(method: string, field: string): Promise<Json[]> {
    const items: Json[] = [];
    let cursor: unknown;
    do {
      const page = await direct.request(method, cursor === undefined ? {} : { cursor });
      items.push(...(page[field] as Json[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return items;
  }

  test('doctor finds every check in order, and the same lists', async () => {
    const report = await answerOf('doctor');
    expect(report).toMatchObject({
      status: 'ready',
      connection: { status: 'connected' },
      error: null,
      tools: await all('tools/list', 'tools'),
      prompts: await all('prompts/list', 'prompts'),
      resources: await all('resources/list', 'resources'),
      resourceTemplates: await all('resources/templates/list', 'resourceTemplates'),
    });
    const checks = report['checks'] as Record<string, { status: string }>;
    expect(Object.keys(checks)).toEqual([...doctorChecks]);
    for (const check of doctorChecks) {
      // A stdio server has no address to probe.
      const skipped = kind.transport === 'stdio' && check === 'probe';
      expect(checks[check]?.status, check).toBe(skipped ? 'skipped' : 'ok');
    }
  });

  test('check-oauth says that it wants no grant', async () => {
    expect(await answerOf('check-oauth')).toEqual({
      useOAuth: false,
      serverUrl: kind.transport === 'stdio' ? null : expect.stringContaining('http://127.0.0.1'),
    });
  });
});

test('a stdio server gets exactly the environment of the operator’s file', async () => {
  const ours = await saveStdioServer(service, tenant);
  const answer = await ours.ask('tools/call', { toolName: 'get-env' });
  expect(JSON.parse(answer.body.content[0].text)).toEqual(stdioEnvironment);
});

describe('a server on protocol 2026-07-28', () => {
  let ours: DiagnosedServer;
  let modern: Awaited<ReturnType<typeof startModernServer>>;
  beforeAll(async () => {
    modern = await startModernServer();
    ours = await saveServer(service, tenant, {
      url: modern.url,
      headers: { 'X-Team': 'blue' },
    });
  });
  afterAll(() => modern.stop());

  test('is asked with the saved headers, every time', async () => {
    const before = modern.calls.length;
    await ours.ask('tools');
    const sent = modern.calls.slice(before);
    expect(sent.length).toBeGreaterThan(0);
    for (const { headers } of sent) expect(headers['x-team']).toBe('blue');
  });

  test('and with the new ones after an edit', async () => {
    const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers/${ours.id}`;
    const body = { headers: { 'X-Team': 'red' } };
    await call(url, { method: 'PATCH', key: tenant.key, body });
    const before = modern.calls.length;
    await ours.ask('tools');
    const teams = modern.calls.slice(before).map(({ headers }) => headers['x-team']);
    expect(new Set(teams)).toEqual(new Set(['red']));
  });

  test('gets numbers and booleans of a prompt as text', async () => {
    const body = { promptName: 'greeting', arguments: { name: 7, language: true } };
    const answer = await ours.ask('prompts/get', body);
    expect(answer.body.messages[0].content.text).toBe('Greet 7 in true.');
  });

  test('says with each call how long it took', async () => {
    const body = { toolName: 'slow', parameters: { delayMs: 300 } };
    const { durationMs } = (await ours.ask('tools/call', body)).body;
    expect(durationMs).toBeGreaterThan(250);
  });

  test('is diagnosed while it is disabled', async () => {
    const disabled = await saveServer(service, tenant, { url: modern.url, enabled: false });
    expect((await disabled.ask('validate')).status).toBe(200);
  });

  test('is watched by who accepts lines: each check as it is known, then the report', async () => {
    const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers/${ours.id}/doctor`;
    const headers = { accept: 'application/x-ndjson' };
    const answer = await call(url, { method: 'POST', key: tenant.key, headers });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.progress?.check)).toEqual([...doctorChecks, undefined]);
    const { result } = lines.at(-1);
    expect(result.status).toBe('ready');
    for (const { progress } of lines.slice(0, -1)) {
      const { check, ...value } = progress;
      expect(result.checks[check]).toEqual(value);
    }
  });
});
