import { type DiagnosedServer, saveServer } from '@proofmark/harness/diagnosed-server.ts';
import {
  type FakeMcpServer,
  type FakeRequest,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

type Json = Record<string, unknown>;

const inputSchema = { type: 'object' };
const plain = { name: 'plain', inputSchema };
const forBoth = { name: 'both', inputSchema, _meta: { ui: { visibility: ['app', 'model'] } } };
const hidden = { name: 'hidden', inputSchema, _meta: { ui: { visibility: ['app'] } } };
const onNextPage = { name: 'later', inputSchema };

let service: TestService;
let tenant: Tenant;
let server: FakeMcpServer;
let saved: DiagnosedServer;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  server = await startFakeMcpServer({
    'tools/list': (response, request) => {
      const isFirst = (request.message['params'] as Json | undefined)?.['cursor'] === undefined;
      const page = isFirst
        ? { tools: [plain, forBoth, hidden], nextCursor: 'two' }
        : { tools: [onNextPage] };
      sendJson(response, rpcResult(request, page));
    },
    'prompts/get': { messages: [] },
    'resources/read': { contents: [] },
    'resources/templates/list': { resourceTemplates: [] },
  });
});
afterAll(async () => {
  await server.stop();
  await service.stop();
});
beforeEach(async () => {
  saved = await saveServer(service, tenant, {
    url: server.url,
    headers: { Authorization: 'Bearer saved-secret', 'X-Saved': 'saved', 'X-Team': 'saved' },
    clientCapabilities: { roots: {} },
  });
  server.requests.length = 0;
});

async function createClient(config: Json, name = unique('Client')): Promise<string> {
  const answer = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/clients`, {
    method: 'POST',
    key: tenant.key,
    body: { name, config: { modelId: 'a/b', clientCapabilities: {}, hostContext: {}, ...config } },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

/**
 * Returns the POST requests. The GET of a session's event stream may come at any time, so it is
 * left out.
 */
function posted(): readonly FakeRequest[] {
  return server.requests.filter(({ method }) => method === 'POST');
}

function received(method: string): Json | undefined {
  return posted().find(({ message }) => message['method'] === method)?.message;
}

const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

describe('headers', () => {
  test('the override goes before the defaults, and these before the saved ones', async () => {
    const clientId = await createClient({
      serverIds: [saved.id],
      connectionDefaults: { headers: { 'x-team': 'default', 'X-Client': 'default' } },
      serverConnectionOverrides: { [saved.id]: { headersOverride: { 'X-Client': 'override' } } },
    });
    const answer = await saved.ask('tools', { clientId });
    expect(answer.status, answer.text).toBe(200);
    expect(posted().length).toBeGreaterThan(2);
    for (const { headers } of posted()) {
      expect(headers).toMatchObject({
        authorization: 'Bearer saved-secret',
        'x-saved': 'saved',
        'x-team': 'default',
        'x-client': 'override',
      });
    }
  });

  test('the doctor probes with them too', async () => {
    const headers = { 'X-Client': 'default' };
    const clientId = await createClient({ connectionDefaults: { headers } });
    expect((await saved.ask('doctor', { clientId })).body.status).toBe('ready');
    const probe = posted().find(({ message }) => message['method'] === 'ping');
    expect(probe?.headers['x-client']).toBe('default');
  });

  test('credentials are those of the saved server; a client that brings its own is not saved', async () => {
    const headers = { authorization: 'Bearer of-the-client' };
    const config = { modelId: 'a/b', connectionDefaults: { headers } };
    const refused = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/clients`, {
      method: 'POST',
      key: tenant.key,
      body: { name: 'Thief', config },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.details.path).toBe('body.config.connectionDefaults.headers');
    expect(refused.text).not.toContain('of-the-client');
    await saved.ask('validate', { clientId: await createClient({}) });
    const sent = posted().map((request) => request.headers.authorization);
    expect(new Set(sent)).toEqual(new Set(['Bearer saved-secret']));
  });

  test('they never follow a redirect to another origin', async () => {
    const away = await startFakeMcpServer({
      '*': (response) => response.writeHead(307, { location: server.url }).end(),
      'server/discover': (response) => response.writeHead(307, { location: server.url }).end(),
      initialize: (response) => response.writeHead(307, { location: server.url }).end(),
    });
    try {
      const moved = await saveServer(service, tenant, { url: away.url, headers: { 'X-Key': 'k' } });
      const headers = { 'X-Client': 'mine' };
      const clientId = await createClient({ connectionDefaults: { headers } });
      const answer = await moved.ask('validate', { clientId });
      expect(answer.body.details.reason).toBe('EGRESS_BLOCKED');
      expect(away.requests.length).toBeGreaterThan(0);
      expect(posted()).toEqual([]);
    } finally {
      await away.stop();
    }
  });

  test('a server that quotes them is quoted without them', async () => {
    const echoing = await startFakeMcpServer({
      'tools/call': (response, request) =>
        sendJson(response, {
          jsonrpc: '2.0',
          id: request.message['id'],
          error: { code: -32000, message: `You sent ${request.headers['x-client']}` },
        }),
    });
    try {
      const { ask } = await saveServer(service, tenant, { url: echoing.url });
      const headers = { 'X-Client': 'long-secret-value' };
      const clientId = await createClient({ connectionDefaults: { headers } });
      const answer = await ask('tools/call', { clientId, toolName: 'echo' });
      expect(answer.body.message).toContain('You sent [hidden]');
      expect(answer.text).not.toContain('long-secret-value');
    } finally {
      await echoing.stop();
    }
  });
});

test('the timeout of the client ends a call', async () => {
  const silent = await startFakeMcpServer({ 'tools/call': () => undefined });
  try {
    const slow = await saveServer(service, tenant, { url: silent.url, timeout: 60_000 });
    const clientId = await createClient({
      serverIds: [slow.id],
      connectionDefaults: { requestTimeout: 60_000 },
      serverConnectionOverrides: { [slow.id]: { requestTimeoutOverride: 2_000 } },
    });
    const answer = await slow.ask('tools/call', { clientId, toolName: 'echo' });
    expect(answer.status).toBe(504);
    expect(answer.body).toMatchObject({ code: 'TIMEOUT', details: { timeoutMs: 2_000 } });
  } finally {
    await silent.stop();
  }
});

test('the server is told what the client declares and somebody answers, and nothing of the saved server', async () => {
  const declared = { roots: { listChanged: true }, experimental: { canary: { on: true } } };
  const clientId = await createClient({
    clientCapabilities: { ...declared, elicitation: { form: {} }, sampling: {} },
  });
  const answer = await saved.ask('validate', { clientId });
  const params = received('initialize')?.['params'] as Json | undefined;
  expect(params?.['capabilities']).toEqual(declared);
  expect(answer.body.initInfo.clientCapabilities).toEqual(declared);
});

describe('the protocol version', () => {
  const speaking = (version: string) =>
    createClient({ mcpProfile: { profileVersion: 1, mcpProtocolVersion: version } });

  test('is the one the server is asked for', async () => {
    const answer = await saved.ask('validate', { clientId: await speaking('2025-06-18') });
    expect(answer.body.initInfo.protocolVersion).toBe('2025-06-18');
    expect(received('server/discover')).toBeUndefined();
    expect(received('initialize')?.['params']).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  test('is settled between both sides where it is auto', async () => {
    expect((await saved.ask('validate', { clientId: await speaking('auto') })).status).toBe(200);
    expect(received('server/discover')).toBeDefined();
  });

  test.each(['2025-03-26', '2026-07-28'])('%s is not spoken here', async (version) => {
    const clientId = await speaking(version);
    const answer = await saved.ask('tools', { clientId });
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({
      code: 'SERVER_UNREACHABLE',
      details: { reason: 'PROTOCOL_VERSION', protocolVersion: version },
    });
    const { body } = await saved.ask('doctor', { clientId });
    expect(body.status).toBe('error');
    expect(body.checks.initialization).toMatchObject({ status: 'error' });
  });
});

describe('the visibility of tools', () => {
  test('is respected by a client that does', async () => {
    const clientId = await createClient({ respectToolVisibility: true });
    const page = (await saved.ask('tools', { clientId })).body;
    expect(names(page.items)).toEqual(['plain', 'both']);
    expect(page.nextCursor).toBe('two');
    const seen = ['plain', 'both', 'later'];
    const snapshot = (await saved.ask('export', { clientId })).body;
    expect(names(snapshot.tools)).toEqual(seen);
    expect(names((await saved.ask('doctor', { clientId })).body.tools)).toEqual(seen);
    const whole = (await saved.ask('export')).body;
    expect(snapshot.toolSurfaceHash).not.toBe(whole.toolSurfaceHash);
  });

  test('hides nothing from one that does not, nor without a client', async () => {
    const clientId = await createClient({ respectToolVisibility: false });
    for (const body of [{ clientId }, {}]) {
      expect(names((await saved.ask('tools', body)).body.items)).toEqual([
        'plain',
        'both',
        'hidden',
      ]);
    }
  });

  test('keeps nobody from calling what is hidden', async () => {
    const clientId = await createClient({ respectToolVisibility: true });
    const answer = await saved.ask('tools/call', { clientId, toolName: 'hidden' });
    expect(answer.status, answer.text).toBe(200);
  });
});

test('a client that never turns a page reads the first ones', async () => {
  const mcpProfile = { profileVersion: 1, paginationTraversal: 'firstPageOnly' };
  const clientId = await createClient({ mcpProfile, respectToolVisibility: false });
  const snapshot = (await saved.ask('export', { clientId })).body;
  expect(names(snapshot.tools)).toEqual(['plain', 'both', 'hidden']);
  expect(names((await saved.ask('doctor', { clientId })).body.tools)).toHaveLength(3);
  expect(names((await saved.ask('export')).body.tools)).toHaveLength(4);
});

test('every operation plays the part of the client', async () => {
  const headers = { 'X-Client': 'mine' };
  const clientId = await createClient({ connectionDefaults: { headers } });
  const bodies: Record<string, Json> = {
    validate: {},
    doctor: {},
    tools: {},
    'tools/call': { toolName: 'plain' },
    prompts: {},
    'prompts/get': { promptName: 'any' },
    resources: {},
    'resources/templates': {},
    'resources/read': { uri: 'notes://any' },
    export: {},
  };
  for (const [operation, body] of Object.entries(bodies)) {
    const fresh = await saveServer(service, tenant, { url: server.url });
    server.requests.length = 0;
    const answer = await fresh.ask(operation, { clientId, ...body });
    expect(answer.status, `${operation}: ${answer.text}`).toBe(200);
    const sent = new Set(posted().map((request) => request.headers['x-client']));
    expect(sent, operation).toEqual(new Set(['mine']));
  }
});

test('no session is shared between two configs, nor with calls that name no client', async () => {
  const one = await createClient({ temperature: 0.1 });
  const other = await createClient({ temperature: 0.2 });
  const handshakes = async (body: object) => {
    server.requests.length = 0;
    expect((await saved.ask('tools', body)).status).toBe(200);
    return posted().filter(({ message }) => message['method'] === 'initialize').length;
  };
  expect(await handshakes({})).toBe(1);
  expect(await handshakes({ clientId: one })).toBe(1);
  expect(await handshakes({ clientId: other })).toBe(1);
  expect(await handshakes({ clientId: one })).toBe(0);
  expect(await handshakes({})).toBe(0);
});

test('an edit of the client takes effect with the next call', async () => {
  const clientId = await createClient({ connectionDefaults: { headers: { 'X-Client': 'old' } } });
  await saved.ask('tools', { clientId });
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/clients/${clientId}`;
  const { configId } = (await call(url, { key: tenant.key })).body;
  const set = { connectionDefaults: { headers: { 'X-Client': 'new' } } };
  const body = { expectedConfigId: configId, set };
  expect((await call(url, { method: 'PATCH', key: tenant.key, body })).status).toBe(200);
  server.requests.length = 0;
  await saved.ask('tools', { clientId });
  const sent = new Set(posted().map((request) => request.headers['x-client']));
  expect(sent).toEqual(new Set(['new']));
});

test('without a client the saved server says how to connect', async () => {
  await createClient({ connectionDefaults: { headers: { 'X-Client': 'unasked' } } });
  const answer = await saved.ask('validate');
  expect(answer.body.initInfo.clientCapabilities).toEqual({ roots: {} });
  expect(received('server/discover')).toBeDefined();
  for (const { headers } of posted()) {
    expect(headers).toMatchObject({ 'x-saved': 'saved', 'x-team': 'saved' });
    expect(headers).not.toHaveProperty('x-client');
  }
});

describe('who is named', () => {
  test('may be named by name, whatever its case', async () => {
    const name = unique('Named');
    await createClient({ connectionDefaults: { headers: { 'X-Client': name } } }, name);
    const answer = await saved.ask('validate', { clientId: ` ${name.toUpperCase()} ` });
    expect(answer.status, answer.text).toBe(200);
    expect(posted().at(-1)?.headers['x-client']).toBe(name);
  });

  test('must be one, not several: 409 with those it could be', async () => {
    const name = unique('Twin');
    const ids = [await createClient({}, name), await createClient({}, name)];
    const answer = await saved.ask('export', { clientId: name });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'CONFLICT',
      details: { candidateIds: ids.sort() },
    });
    expect(posted()).toEqual([]);
  });

  test('must be of this project: another’s is answered like one that does not exist', async () => {
    const stranger = await createTenant(service, unique('other').toLowerCase());
    const foreign = await saved.ask('validate', { clientId: stranger.client });
    const unknown = await saved.ask('validate', { clientId: 'cli_nobody' });
    expect(unknown.status).toBe(400);
    expect(unknown.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { path: 'body.clientId' },
    });
    const { requestId: _one, ...foreignBody } = foreign.body;
    const { requestId: _other, ...unknownBody } = unknown.body;
    expect(foreignBody).toEqual(unknownBody);
    expect(posted()).toEqual([]);
  });

  test.each([[''], [7], [null]])('%j is no client', async (clientId) => {
    const answer = await saved.ask('tools', { clientId });
    expect(answer.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { path: 'body.clientId' },
    });
  });

  test('is no matter of check-oauth', async () => {
    expect((await saved.ask('check-oauth', { clientId: tenant.client })).status).toBe(400);
  });
});
