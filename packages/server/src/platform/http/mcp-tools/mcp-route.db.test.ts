import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpTools } from '@proofmark/contract/mcp-tools';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { canary, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let foreign: Tenant;
let other: FakeMcpServer;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  foreign = await createTenant(service, 'globex');
  other = await startFakeMcpServer({ 'tools/list': { tools: stageTools } });
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

const url = (baseUrl = service.baseUrl) => new URL(`${baseUrl}/mcp`);
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

async function connect(key = tenant.key, baseUrl?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  // Under exactOptionalPropertyTypes, the library's class does not match its own interface, so a
  // cast is needed.
  await client.connect(new StreamableHTTPClientTransport(url(baseUrl), withKey(key)) as never);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
type Result = any;
const parsedText = (result: Result) => JSON.parse(result.content[0].text);

function post(
  message: unknown,
  headers: Record<string, string> = {},
  key: string | undefined = tenant.key,
) {
  const accept = 'application/json, text/event-stream';
  return call(url().href, { method: 'POST', key, headers: { accept, ...headers }, body: message });
}

const listMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callMessage = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('the official client', () => {
  test('of the older protocol lists the tools as they are derived, and calls them', async () => {
    const client = await connect();
    try {
      expect(client.getServerVersion()).toMatchObject({ name: 'proofmark' });
      expect(client.getInstructions()).toContain('listProjects');
      const { tools } = await client.listTools();
      expect(tools).toEqual(
        JSON.parse(JSON.stringify([...mcpTools().values()].map((one) => one.tool))),
      );
      const me = await client.callTool({ name: 'getMe' });
      expect(me.structuredContent).toMatchObject({ email: 'owner@acme.example' });
      expect(parsedText(me)).toEqual(me.structuredContent);
    } finally {
      await client.close();
    }
  });

  test('of the newer protocol does the same, without a handshake', async () => {
    const client = new ModernClient({ name: 'test', version: '1' }, {
      versionNegotiation: { mode: 'auto' },
    } as never);
    await client.connect(new ModernTransport(url(), withKey(tenant.key)));
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect((await client.listTools()).tools).toHaveLength(mcpTools().size);
      const listed = await client.callTool({ name: 'listProjects', arguments: { limit: 1 } });
      expect(listed.structuredContent).toMatchObject({ items: [{ id: tenant.projectId }] });
      const missing = await client.callTool({ name: 'getEvalRun', arguments: { projectId: 'x' } });
      expect(missing.isError).toBe(true);
    } finally {
      await client.close();
    }
  });

  test('is answered by any process', async () => {
    const second = await service.another();
    const client = await connect();
    const elsewhere = await connect(tenant.key, second.baseUrl);
    try {
      for (const one of [client, elsewhere, client]) {
        expect((await one.callTool({ name: 'getMe' })).isError).toBeUndefined();
      }
    } finally {
      await client.close();
      await elsewhere.close();
      await second.stop();
    }
  });

  test('examines a server, lists its tools and calls one', async () => {
    const saved = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`, {
      method: 'POST',
      key: tenant.key,
      body: { name: 'Other', enabled: true, transportType: 'http', url: other.url },
    });
    const ids = { projectId: tenant.projectId, serverId: saved.body.id };
    const client = await connect();
    try {
      const report = await client.callTool({ name: 'runDoctor', arguments: ids });
      expect(report.structuredContent).toMatchObject({ checks: { tools: { status: 'ok' } } });
      const listed = await client.callTool({ name: 'listTools', arguments: ids });
      const [first] = (listed.structuredContent as { items: { name: string }[] }).items;
      const toolName = first?.name ?? '';
      const called = await client.callTool({ name: 'callTool', arguments: { ...ids, toolName } });
      expect(called.structuredContent).toMatchObject({ durationMs: expect.any(Number) });
      expect(other.requests.some(({ message }) => message['method'] === 'tools/call')).toBe(true);
    } finally {
      await client.close();
    }
  });
});

describe('what the API refuses is a tool error with a next action', () => {
  test.each([
    ['getEvalRun', () => ({ projectId: tenant.projectId, runId: 'evr_0' }), 'NOT_FOUND'],
    ['getEvalRun', () => ({ projectId: foreign.projectId, runId: foreign.runId }), 'NOT_FOUND'],
    [
      'callTool',
      () => ({ projectId: tenant.projectId, serverId: tenant.serverId }),
      'VALIDATION_ERROR',
    ],
    [
      'runDoctor',
      () => ({ projectId: tenant.projectId, serverId: 'srv_0', clientId: '' }),
      'VALIDATION_ERROR',
    ],
    [
      'listTools',
      () => ({ projectId: tenant.projectId, serverId: tenant.serverId }),
      'SERVER_UNREACHABLE',
    ],
    ['listProjects', () => ({ cursor: 'nonsense' }), 'VALIDATION_ERROR'],
  ])('%s', async (name, given, code) => {
    const client = await connect();
    try {
      const result = await client.callTool({ name, arguments: given() });
      expect(result.isError).toBe(true);
      expect(parsedText(result)).toMatchObject({ code, nextAction: expect.stringMatching(/\.$/) });
      expect(JSON.stringify(result)).not.toContain(canary);
      expect(JSON.stringify(result)).not.toContain(tenant.key);
    } finally {
      await client.close();
    }
  });

  test('an unknown tool is an error of the protocol', async () => {
    const client = await connect();
    try {
      await expect(client.callTool({ name: 'deleteProject' })).rejects.toMatchObject({
        code: -32602,
      });
    } finally {
      await client.close();
    }
  });

  test('our own failure tells a request id that is in the log, and nothing from inside', async () => {
    await service.owner.sql`alter table servers rename to servers_hidden`;
    try {
      const given = { projectId: tenant.projectId };
      const answer = await post(callMessage('listProjectServers', given));
      expect(answer.text).not.toMatch(/relation|select|42P01|\.ts/);
      const { requestId } = parsedText(resultIn(answer.text)).details;
      const lines = service.logLines.filter((line) => line.includes(requestId)).join('\n');
      expect(lines).toContain('request failed');
      expect(lines).toContain('"operationId":"listProjectServers"');
      expect(lines).not.toContain(tenant.key);
    } finally {
      await service.owner.sql`alter table servers_hidden rename to servers`;
    }
  });
});

function resultIn(text: string): Result {
  const line = text.split('\n').find((one) => one.startsWith('data: {')) ?? '';
  return JSON.parse(line.slice('data: '.length)).result;
}

describe('the door', () => {
  test.each([
    ['no key', undefined],
    ['an unknown key', 'sk_unknown'],
    ['no key at all', ''],
  ])('%s is 401, whatever the message', async (_, key) => {
    const answer = await post(listMessage, key === '' ? { authorization: '' } : {}, key ?? '');
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a person who is signed in to the console is nobody here', async () => {
    const headers = await signInAs(service, tenant.accountId);
    const accept = 'application/json, text/event-stream';
    const answer = await call(url().href, {
      method: 'POST',
      headers: { ...headers, accept },
      body: callMessage('getMe'),
    });
    expect(answer.status).toBe(401);
  });

  test('a page of another origin is turned away, and so is a name that is not ours', async () => {
    const page = await post(listMessage, { origin: 'http://evil.example' });
    expect(page).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await post(listMessage, { origin: service.baseUrl })).status).toBe(200);
    const headers = { host: 'evil.example', authorization: `Bearer ${tenant.key}` };
    const sent = request(url(), { method: 'POST', headers }).end(JSON.stringify(listMessage));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(403);
  });

  test('nothing is kept, so there is nothing to open, resume or end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(url().href, { method, key: tenant.key });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    }
    expect((await post(listMessage)).headers.get('mcp-session-id')).toBeNull();
  });

  test.each([
    ['several messages', [listMessage, listMessage]],
    ['no object', 'tools/list'],
    ['a body over the limit', callMessage('getMe', { x: 'x'.repeat(1_000_001) })],
  ])('%s are refused', async (_, message) => {
    expect(await post(message)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  test('a key of a narrow scope sees and calls only what it may', async () => {
    const scoped = await call(`${service.baseUrl}/console/v1/api-keys`, {
      method: 'POST',
      headers: await signInAs(service, tenant.accountId),
      body: { name: 'Reader', organizationId: tenant.organizationId, scope: 'read-only' },
    });
    const client = await connect(scoped.body.key);
    try {
      const { tools } = await client.listTools();
      expect(tools.every((one) => one.annotations?.readOnlyHint)).toBe(true);
      expect(tools.map(({ name }) => name)).toContain('runDoctor');
      const given = { projectId: tenant.projectId, suiteId: tenant.suiteId };
      const refused = await client.callTool({ name: 'createEvalRun', arguments: given });
      expect(parsedText(refused)).toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'KEY_SCOPE' },
        nextAction: expect.stringContaining('wider scope'),
      });
    } finally {
      await client.close();
    }
  });

  test('one message takes one token, and a call over the limit is told to wait', async () => {
    const limited = await service.another({ rateLimit: { perMinute: 1, burst: 6 } });
    try {
      const key = foreign.key;
      const client = await connect(key, limited.baseUrl);
      const calls = [];
      for (let n = 0; n < 6; n += 1) calls.push(await client.callTool({ name: 'getMe' }));
      await client.close();
      // The handshake took two of the six tokens in the rate limit bucket, so only four calls pass.
      expect(calls.map((one) => one.isError === true)).toEqual([
        ...[false, false, false, false, true, true],
      ]);
      const refusal = parsedText(calls[5]);
      expect(refusal).toMatchObject({
        code: 'RATE_LIMITED',
        nextAction: expect.stringMatching(/^Wait \d+/),
      });
      const headers = { accept: 'application/json, text/event-stream' };
      const send = (body: unknown) =>
        call(url(limited.baseUrl).href, { method: 'POST', key, headers, body });
      const listed = await send(listMessage);
      expect(listed).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
      expect(Number(listed.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(
        202,
      );
      expect((await send(callMessage('getMe', { x: 'x'.repeat(70_000) }))).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  test('what a tool changes is in the audit log, as the holder of the key', async () => {
    const content = JSON.stringify({
      schemaVersion: '1',
      mode: 'serverContract',
      reportingMode: 'standard',
      suite: { id: 'over-mcp', name: 'Over MCP' },
      target: { servers: [{ name: 'Sample' }] },
      defaults: { repetitions: 1, passThreshold: 1, validity: {} },
      cases: [
        {
          id: 'one',
          title: 'One',
          steps: [{ id: 'a', kind: 'assert', assertion: { type: 'toolDescriptionsPresent' } }],
        },
      ],
    });
    const client = await connect();
    try {
      const given = { projectId: tenant.projectId, content };
      const imported = await client.callTool({ name: 'importEvalSuite', arguments: given });
      expect(imported.structuredContent).toMatchObject({ replaced: false });
      const { suiteId } = imported.structuredContent as { suiteId: string };
      const { sql } = service.owner;
      const lines = await sql`select caller_kind from audit_log where subject_id = ${suiteId}`;
      expect(lines).toEqual([{ callerKind: 'key' }]);
    } finally {
      await client.close();
    }
  });
});
