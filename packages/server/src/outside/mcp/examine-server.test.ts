import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type DoctorCheckName, doctorChecks } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcError,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { selfSignedCertificate } from '@proofmark/harness/mcp-servers/self-signed-certificate.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { afterEach, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

test('a good server is ready, and every check is told as it becomes known, in order', async () => {
  const { gateway, url } = await given({});
  const checkNames: DoctorCheckName[] = [];
  const report = await gateway.examine(httpTarget(url), {
    onCheck: (name) => checkNames.push(name),
  });
  expect(checkNames).toEqual(doctorChecks);
  expect(report).toMatchObject({
    status: 'ready',
    connection: { status: 'connected' },
    initInfo: { protocolVersion: '2025-06-18' },
    capabilities: { tools: {} },
    tools: [{ name: 'echo' }],
    error: null,
    checks: {
      tools: { status: 'ok', detail: '1 tool.' },
      resourceTemplates: { status: 'skipped' },
    },
  });
});

test('a server of the older transport works, and the report says so', async () => {
  const server = await startEverythingServer('sse');
  open.push(server);
  const report = await gatewayOf().examine(httpTarget(server.url));
  expect(report.status).toBe('ready');
  expect(report.checks.connection.detail).toBe('Connected over SSE.');
  expect(report.checks.connection.advice).toMatch(/older SSE transport/);
});

const html: FakeAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
};
const status =
  (code: number): FakeAnswer =>
  (response) =>
    response.writeHead(code).end();
const everywhere = (answer: FakeAnswer) => ({
  '*': answer,
  GET: answer,
  initialize: answer,
  'server/discover': answer,
});

test.each<[string, Record<string, FakeAnswer>, string, DoctorCheckName, RegExp]>([
  ['a wrong path', everywhere(status(404)), 'error', 'connection', /path of the URL/],
  ['a page for people', everywhere(html), 'error', 'initialization', /pages for people/],
  [
    'a grant that is wanted',
    everywhere(status(401)),
    'oauth_required',
    'connection',
    /OAuth grant/,
  ],
  ['refused credentials', everywhere(status(403)), 'error', 'connection', /headers or tokens/],
  ['a failing server', everywhere(status(503)), 'error', 'connection', /logs of the server/],
  [
    'an unknown version',
    {
      initialize: {
        protocolVersion: '1999',
        capabilities: {},
        serverInfo: { name: 'a', version: '1' },
      },
    },
    'error',
    'initialization',
    /version of MCP/,
  ],
  [
    'a redirect',
    everywhere((response) => response.writeHead(308, { location: 'http://127.0.0.1:1/' }).end()),
    'error',
    'connection',
    /final address/,
  ],
  ['silence', { 'server/discover': () => undefined }, 'error', 'initialization', /silent/],
  [
    'a list that cannot be read',
    { 'tools/list': (response, request) => sendJson(response, rpcError(request, -32000, 'no')) },
    'partial',
    'tools',
    /wrote about this call/,
  ],
])('%s is found, with advice', async (_title, answers, state, check, advice) => {
  const { gateway, url } = await given(answers);
  const report = await gateway.examine(httpTarget(url));
  expect(report.status).toBe(state);
  expect(report.checks[check].status).toBe('error');
  expect(report.checks[check].advice).toMatch(advice);
  expect(report.error).not.toBeNull();
});

test('a bad certificate is found, with advice', async () => {
  const { key, cert } = await selfSignedCertificate();
  const server: Server = createServer({ key, cert }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  open.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) });
  const { port } = server.address() as AddressInfo;
  const report = await gatewayOf().examine(httpTarget(`https://127.0.0.1:${port}/mcp`));
  expect(report.error?.details).toMatchObject({ reason: 'CONNECT_FAILED', cause: 'TLS' });
  expect(report.checks.probe.advice).toMatch(/certificate/);
});

test('a program that is not there is found, with advice', async () => {
  const report = await gatewayOf().examine(stdioTarget({ command: '/no/such', args: [] }));
  expect(report.checks.connection.advice).toMatch(/command/);
  expect(report.checks.probe.status).toBe('skipped');
});

test('a program that ends at once was not reached, and says with which code it ended', async () => {
  const ending = stdioTarget({ command: process.execPath, args: ['-e', 'process.exit(3)'] });
  const { status, connection, checks } = await gatewayOf().examine(ending);
  const detail = expect.stringContaining('ended (exit code 3) before it answered');
  expect({ status, connection }).toEqual({
    status: 'error',
    connection: { status: 'error', detail },
  });
  expect(checks.connection).toMatchObject({ status: 'error', detail });
  for (const later of ['initialization', 'capabilities', 'tools'] as const) {
    expect(checks[later]).toMatchObject({ status: 'skipped' });
  }
});

test('a program that ends says why it did, without what it was given as a secret', async () => {
  const script = 'throw new TypeError("no such shelf, " + process.env.SHELF_KEY)';
  const target = stdioTarget({ command: process.execPath, args: ['-e', script] });
  const address = { ...target.address, env: { SHELF_KEY: 'canary-of-the-shelf' } };
  const { connection } = await gatewayOf().examine({ ...target, address } as typeof target);
  expect(connection.detail).toContain('It wrote: TypeError: no such shelf, [hidden]');
});

const never: FakeAnswer = () => undefined;

test('every step of an examination has the time of one call, however slow the server', async () => {
  const slow = { 'tools/list': never, 'prompts/list': never, 'resources/list': never };
  const { gateway, url } = await given(slow);
  const { checks, status, error } = await gateway.examine({ ...httpTarget(url), timeoutMs: 300 });
  expect(status).toBe('partial');
  expect(error).toMatchObject({ code: 'TIMEOUT', details: { timeoutMs: 300 } });
  // All three lists were requested: a list that times out leaves the next list its own time.
  for (const name of ['tools', 'resources', 'prompts'] as const) {
    expect(checks[name]).toMatchObject({
      status: 'error',
      detail: expect.stringMatching(/in time/),
    });
  }
});

test('a server that never says anything is given up by its own timeout, the probe included', {
  timeout: 5_000,
}, async () => {
  const { gateway, url } = await given(everywhere(never));
  const { checks, status, error } = await gateway.examine({ ...httpTarget(url), timeoutMs: 200 });
  expect(status).toBe('error');
  expect(error).toMatchObject({ code: 'TIMEOUT', details: { timeoutMs: 200 } });
  expect(checks.probe).toMatchObject({ status: 'error', detail: expect.stringMatching(/in time/) });
});

test('a slot for an examination is waited for as long as its steps may take', {
  timeout: 5_000,
}, async () => {
  const { gateway, url } = await given({}, { maxSessionsPerOrganization: 1, examineMs: 60_000 });
  let release: (() => void) | undefined;
  const used = gateway.use(
    httpTarget(url),
    () =>
      new Promise<void>((done) => {
        release = done;
      }),
  );
  await expect.poll(() => release).toBeDefined();
  const examined = gateway.examine({ ...httpTarget(url), timeoutMs: 50 });
  await expect(examined).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  release?.();
  await used;
});

test('all lists together are bounded, and every list that could not be read says so', async () => {
  const large = (list: string, key: string) => ({
    [list]: [{ name: 'a', [key]: 'a', description: 'x'.repeat(6_000) }],
  });
  const { gateway, url } = await given(
    {
      'tools/list': large('tools', 'name'),
      'resources/list': large('resources', 'uri'),
      'prompts/list': large('prompts', 'name'),
    },
    { maxCallBytes: 10_000 },
  );
  const { checks, tools, error } = await gateway.examine(httpTarget(url));
  expect(checks.tools.status).toBe('ok');
  expect(tools).toHaveLength(1);
  expect(checks.resources.status).toBe('error');
  expect(checks.prompts.status).toBe('error');
  expect(error?.details).toMatchObject({ reason: 'RESPONSE_TOO_LARGE', limit: 10_000 });
});

test('a caller that gives up ends it', async () => {
  const { gateway, url } = await given({ 'server/discover': () => undefined });
  const examined = gateway.examine(httpTarget(url), { signal: AbortSignal.timeout(100) });
  await expect(examined).rejects.toMatchObject({ name: 'TimeoutError' });
});

async function given(
  answers: Record<string, FakeAnswer>,
  limits = {},
): Promise<{ gateway: McpGateway; url: string }> {
  const server = await startFakeMcpServer(answers);
  open.push(server);
  return { gateway: gatewayOf(limits), url: server.url };
}

function gatewayOf(limits = {}): McpGateway {
  const gateway = gatewayForTest({ callMs: 2_000, firstByteMs: 800, ...limits });
  open.push({ stop: () => gateway.close() });
  return gateway;
}
