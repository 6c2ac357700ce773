/** No fault of a server may cause a response with status 500. */
import type { ServerResponse } from 'node:http';
import { doctorStatuses } from '@proofmark/domain';
import {
  type DiagnosedServer,
  diagnosed,
  saveServer,
  saveStdioServer,
} from '@proofmark/harness/diagnosed-server.ts';
import { closeServers, startServer } from '@proofmark/harness/hostile-servers.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { type Step, startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMcpGateway } from '../../../outside/mcp/create-mcp-gateway.ts';
import type { StdioAddress } from '../../../outside/mcp/mcp-target.ts';

const secret = 'canary-sent-to-the-server-41';
let stdioAddress: StdioAddress | undefined;
let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ stdioAddressOf: () => stdioAddress });
  tenant = await createTenant(service, 'acme');
});
afterEach(closeServers);
afterAll(() => service.stop());

function save(url: string, fields: object = {}): Promise<DiagnosedServer> {
  return saveServer(service, tenant, { url, headers: { Authorization: secret }, ...fields });
}

function isRefused(answer: TestAnswer, status: number, code: string, details: object): void {
  expect({ status: answer.status, body: answer.body }, answer.text).toEqual({
    status,
    body: {
      code,
      message: expect.stringMatching(/^[A-Z][^\n]{10,800}$/),
      details: expect.objectContaining(details),
    },
  });
  expect(answer.text).not.toContain(secret);
}

const answerWith =
  (status: number, headers: Record<string, string>, body = '') =>
  (_request: unknown, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
const json = { 'content-type': 'application/json' };

describe('a server that answers no MCP', () => {
  const cases: [string, ReturnType<typeof answerWith>, number, string, object][] = [
    [
      'HTML',
      answerWith(200, { 'content-type': 'text/html' }, '<html><body>Welcome</body></html>'),
      ...unreachable('INVALID_RESPONSE'),
    ],
    ['no JSON', answerWith(200, json, '{"jsonrpc":'), ...unreachable('INVALID_RESPONSE')],
    ['other JSON', answerWith(200, json, '{"hello":"world"}'), ...unreachable('INVALID_RESPONSE')],
    ['nothing at all', answerWith(200, json), ...unreachable('INVALID_RESPONSE')],
    [
      'more than the limit',
      answerWith(200, json, JSON.stringify({ jsonrpc: '2.0', text: 'x'.repeat(5_000_000) })),
      ...unreachable('RESPONSE_TOO_LARGE'),
    ],
    ['401', answerWith(401, { 'www-authenticate': 'Bearer' }), 401, 'OAUTH_REQUIRED', {}],
    ['403', answerWith(403, {}), 403, 'FORBIDDEN', { reason: 'CREDENTIALS_REJECTED' }],
    [
      '429',
      answerWith(429, { 'retry-after': '7' }),
      ...unreachable('TARGET_RATE_LIMITED', { retryAfterSeconds: 7 }),
    ],
    ['500', answerWith(500, {}, `The token ${secret} broke it.`), 502, 'SERVER_UNREACHABLE', {}],
    ['404', answerWith(404, {}, 'Not here.'), 502, 'SERVER_UNREACHABLE', {}],
    [
      'a redirect to another origin',
      answerWith(307, { location: 'http://127.0.0.1:9/mcp' }),
      ...unreachable('EGRESS_BLOCKED'),
    ],
  ];

  test.each(cases)('%s', async (_name, handler, status, code, details) => {
    const { url } = await startServer(handler);
    const ours = await save(`${url}/mcp`);
    for (const [operation, body] of [
      ['validate', {}],
      ['tools', {}],
      ['tools/call', { toolName: 'echo' }],
      ['export', {}],
    ] as const) {
      isRefused(await ours.ask(operation, body), status, code, details);
    }
    await isReported(ours, code);
  });
});

function unreachable(reason: string, more: object = {}): [number, string, object] {
  return [502, 'SERVER_UNREACHABLE', { reason, ...more }];
}

function connectFailed(cause: string): [number, string, object] {
  return unreachable('CONNECT_FAILED', { cause });
}

async function isReported(ours: DiagnosedServer, code: string): Promise<void> {
  const { status, body, text } = await ours.ask('doctor');
  expect(status, text).toBe(200);
  expect(doctorStatuses).toContain(body.status);
  expect(body.status).toBe(code === 'OAUTH_REQUIRED' ? 'oauth_required' : 'error');
  expect(body.error.code).toBe(code);
  const checks = Object.values(body.checks) as { status: string; advice?: string }[];
  const failed = checks.find((check) => check.status === 'error');
  expect(failed?.advice, text).toMatch(/\.$/);
  expect(text).not.toContain(secret);
}

describe('a server that cannot be reached', () => {
  test('because nobody listens', async () => {
    const { url } = await startServer(() => undefined);
    await closeServers();
    const ours = await save(`${url}/mcp`);
    isRefused(await ours.ask('tools'), ...connectFailed('UNREACHABLE'));
    await isReported(ours, 'SERVER_UNREACHABLE');
  });

  test('because it speaks no TLS', async () => {
    const { port } = await startServer(answerWith(200, json, '{}'));
    const ours = await save(`https://127.0.0.1:${port}/mcp`);
    isRefused(await ours.ask('tools'), ...connectFailed('TLS'));
    await isReported(ours, 'SERVER_UNREACHABLE');
  });

  test('because egress to its address is blocked, which is not told', async () => {
    const { url, port, connections } = await startServer(answerWith(200, json, '{}'));
    const ours = await save(url);
    const egress = { allowLoopback: false, allowedPrivateHosts: [] };
    const mcp = createMcpGateway({ egress, client: { name: 'closed', version: '1' } });
    const closed = await service.another({ mcp });
    try {
      const there = diagnosed({ ...service, baseUrl: closed.baseUrl }, tenant, ours.id);
      const answer = await there.ask('tools');
      isRefused(answer, ...unreachable('EGRESS_BLOCKED'));
      expect(answer.text).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${port}`));
      expect(connections()).toBe(0);
    } finally {
      await closed.stop();
      await mcp.close();
    }
  });

  test.each([
    ['is not named by the file any more', undefined, unreachable('NOT_CONFIGURED')],
    ['is a program that is not there', '/nowhere/at-all', connectFailed('COMMAND_NOT_FOUND')],
    ['is a program that ends at once', process.execPath, connectFailed('CONNECTION_CLOSED')],
  ])('because it %s', async (_name, command, expected) => {
    const args = command === process.execPath ? ['-e', ''] : [];
    stdioAddress = command === undefined ? undefined : { kind: 'stdio', command, args, env: {} };
    const ours = await saveStdioServer(service, tenant);
    const answer = await ours.ask('tools');
    isRefused(answer, ...expected);
    expect(answer.text).not.toContain('nowhere');
  });
});

describe('a server that is silent', () => {
  const silent = () => undefined;
  const timeout = 400;

  test.each<[string, Record<string, Step>]>([
    ['from the start', { initialize: silent, 'server/discover': silent }],
    ['at initialize', { initialize: silent }],
    ['when asked for its tools', { 'tools/list': silent }],
    [
      'after its first bytes',
      { 'tools/list': (response) => response.writeHead(200, json).write('{') },
    ],
  ])('%s: 504 at the deadline of the saved server', async (_name, script) => {
    const { url } = await startScriptedServer(script);
    const ours = await save(url, { timeout });
    isRefused(await ours.ask('tools'), 504, 'TIMEOUT', {});
  });
});

describe('a server that answers in errors after initialize', () => {
  const cases: [string, Step, number, string, object][] = [
    ['401', (response) => response.writeHead(401).end(), 401, 'OAUTH_REQUIRED', {}],
    [
      '403',
      (response) => response.writeHead(403).end(),
      403,
      'FORBIDDEN',
      { reason: 'CREDENTIALS_REJECTED' },
    ],
    [
      '429',
      (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
      ...unreachable('TARGET_RATE_LIMITED', { retryAfterSeconds: 3 }),
    ],
    [
      'invalid params',
      { error: { code: -32602, message: `Bad ${secret}\u0007 cursor` } },
      400,
      'VALIDATION_ERROR',
      { path: 'body', reason: 'INVALID_PARAMS' },
    ],
    [
      'an internal error',
      { error: { code: -32603, message: `It broke. ${'x'.repeat(5000)}` } },
      ...unreachable('SERVER_ERROR', {
        mcpError: { code: -32603, message: expect.stringMatching(/^It broke\. x+.{0,3}$/) },
      }),
    ],
    [
      'an error of its own',
      { error: { code: 4711, message: `Echo of ${secret}` } },
      ...unreachable('SERVER_ERROR', {
        mcpError: { code: 4711, message: expect.stringMatching(/^Echo of [^-]+$/) },
      }),
    ],
    ['a list that is none', { result: { tools: 'none' } }, ...unreachable('INVALID_RESPONSE')],
    ['a tool without a name', { result: { tools: [{}] } }, ...unreachable('INVALID_RESPONSE')],
    [
      'the end of the connection',
      (response) => response.destroy(),
      ...connectFailed('UNREACHABLE'),
    ],
  ];

  test.each(cases)('%s', async (_name, step, status, code, details) => {
    const { url } = await startScriptedServer({ 'tools/list': step });
    const ours = await save(url);
    isRefused(await ours.ask('tools'), status, code, details);
    isRefused(await ours.ask('export'), status, code, details);
    expect((await ours.ask('validate')).status).toBe(200);
    expect((await ours.ask('doctor')).body.status).toBe(
      code === 'OAUTH_REQUIRED' ? 'oauth_required' : 'partial',
    );
  });

  test.each<[string, Step]>([
    ['content of an unknown type', { result: { content: [{ type: 'video' }] } }],
    ['content that is no list', { result: { content: 'text' } }],
    ['no result', { result: null as never }],
  ])('a call that ends in %s is an invalid answer', async (_name, step) => {
    const { url } = await startScriptedServer({
      'tools/call': step,
      'tools/list': { result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } },
    });
    const answer = await (await save(url)).ask('tools/call', { toolName: 'echo' });
    isRefused(answer, ...unreachable('INVALID_RESPONSE'));
  });

  test('a result with isError is a success; fields that are our words are never the server’s', async () => {
    const content = [{ type: 'text', text: 'No.' }];
    const lie = { durationMs: -1, outputCheck: { state: 'valid' } };
    const { url } = await startScriptedServer({
      'tools/call': { result: { content, isError: true, extra: [1, null], ...lie } },
      'tools/list': { result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } },
    });
    const { status, body } = await (await save(url)).ask('tools/call', { toolName: 'echo' });
    const durationMs = expect.any(Number);
    expect({ status, body }).toEqual({
      status: 200,
      body: { content, isError: true, extra: [1, null], durationMs },
    });
    expect(body.durationMs).toBeGreaterThanOrEqual(0);
  });
});

describe('a server without a capability', () => {
  test('refuses what belongs to it with 422; export and doctor find nothing there', async () => {
    const modern = await startModernServer({ onlyTools: true });
    try {
      const ours = await save(modern.url);
      for (const [operation, body] of [
        ['prompts', {}],
        ['prompts/get', { promptName: 'greeting' }],
        ['resources', {}],
        ['resources/templates', {}],
        ['resources/read', { uri: 'notes://first' }],
      ] as const) {
        isRefused(await ours.ask(operation, body), 422, 'FEATURE_NOT_SUPPORTED', {});
      }
      const none = { prompts: [], resources: [], resourceTemplates: [] };
      expect((await ours.ask('export')).body).toMatchObject(none);
      const { body } = await ours.ask('doctor');
      expect(body).toMatchObject(none);
      expect(body.checks.prompts.status).toBe('skipped');
    } finally {
      await modern.stop();
    }
  });

  test('tools included', async () => {
    const { url } = await startScriptedServer({}, {});
    const ours = await save(url);
    isRefused(await ours.ask('tools'), 422, 'FEATURE_NOT_SUPPORTED', {});
    const answer = await ours.ask('tools/call', { toolName: 'echo' });
    isRefused(answer, 422, 'FEATURE_NOT_SUPPORTED', {});
    // This server declares tools but lists none, so the exported list is empty.
    const declared = await save((await startScriptedServer({})).url);
    expect(await declared.ask('export')).toMatchObject({ status: 200, body: { tools: [] } });
  });
});

test('a server of another organization is 404, whatever is asked of it, and never called', async () => {
  const { url, connections } = await startServer(answerWith(200, json, '{}'));
  const theirs = await createTenant(service, 'theirs');
  const foreign = await saveServer(service, theirs, { url });
  const asked = diagnosed(service, tenant, foreign.id);
  for (const operation of ['validate', 'doctor', 'check-oauth', 'tools', 'export']) {
    expect((await asked.ask(operation)).status, operation).toBe(404);
  }
  expect(connections()).toBe(0);
});

test('whether a grant is needed is asked without credentials, and 401 means yes', async () => {
  const seen: unknown[] = [];
  const { url } = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  });
  const { body } = await (await save(`${url}/mcp`)).ask('check-oauth');
  expect(body).toEqual({ useOAuth: true, serverUrl: `${url}/mcp` });
  expect(new Set(seen)).toEqual(new Set([undefined]));
});

test.each(['tools', 'doctor'])(
  'when the caller of %s goes away, the call to the server ends too, and nothing failed',
  async (operation) => {
    let asked: () => void = () => undefined;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await startScriptedServer({ 'tools/list': () => asked() });
    const ours = await save(server.url, { timeout: 600_000 });
    const leaving = new AbortController();
    const base = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`;
    const left = fetch(`${base}/${ours.id}/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, accept: 'application/x-ndjson' },
      signal: leaving.signal,
    }).then(
      (answer) => answer.text().catch((error: Error) => error.name),
      (error: Error) => error.name,
    );
    await wasAsked;
    const before = service.logLines.length;
    leaving.abort();
    expect(await left).toBe('AbortError');
    await server.allClosed();
    await expect.poll(() => service.logLines.length).toBeGreaterThan(before);
    expect(service.logLines.slice(before).join()).not.toContain('request failed');
  },
);

test('more sessions than an organization may have: 429 with Retry-After, others are served', async () => {
  const egress = { allowLoopback: true, allowedPrivateHosts: [] };
  const limits = { maxSessionsPerOrganization: 1, maxWaitingPerOrganization: 0 };
  const mcp = createMcpGateway({ egress, limits, client: { name: 'small', version: '1' } });
  const small = await service.another({ mcp });
  const at = { ...service, baseUrl: small.baseUrl };
  try {
    const { url, methods } = await startScriptedServer({ 'tools/list': () => undefined });
    const hanging = diagnosed(at, tenant, (await save(url, { timeout: 6000 })).id).ask('tools');
    await expect.poll(() => methods).toContain('tools/list');
    const refused = await diagnosed(at, tenant, (await save(url)).id).ask('validate');
    isRefused(refused, 429, 'RATE_LIMITED', {});
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const neighbour = await createTenant(service, 'neighbour');
    const theirs = await saveServer(service, neighbour, { url });
    expect((await diagnosed(at, neighbour, theirs.id).ask('validate')).status).toBe(200);
    expect((await hanging).status).toBe(504);
  } finally {
    await small.stop();
    await mcp.close();
  }
});

test('no credential that was sent stands in any log line', async () => {
  await call(service.baseUrl);
  expect(service.logLines.length).toBeGreaterThan(20);
  for (const line of service.logLines) expect(line).not.toContain(secret);
});
