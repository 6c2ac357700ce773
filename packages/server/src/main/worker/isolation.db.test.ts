import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callingModel, callsAndSays } from '@proofmark/harness/calling-model.ts';
import { saveServer, saveStdioServer } from '@proofmark/harness/diagnosed-server.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { stdioProgram } from '@proofmark/harness/mcp-servers/stdio-program.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StdioAddress } from '../../outside/mcp/mcp-target.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let directory: string;
let program: StdioAddress;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'isolation-'));
  const exits = `
    (await import('node:fs')).writeFileSync(${JSON.stringify(directory)} + '/pid-' + process.pid, '');
    let calls = 0;
    answer('tools/list', () => ({ tools: [{ name: 'count', inputSchema: { type: 'object' } }] }));
    answer('tools/call', () => {
      calls += 1;
      if (calls === 3) process.exit(1);
      return { content: [{ type: 'text', text: 'call ' + calls }] };
    });`;
  program = { kind: 'stdio', env: {}, ...(await stdioProgram(directory, exits)) };
  const models = callingModel();
  service = await startTestService({ models, stdioAddressOf: () => program });
  tenant = await createTenant(service, 'isolated');
  const mcpLimits = { maxSessionsPerOrganization: 3 };
  const stdioAddressOf = () => program;
  worker = await startTestWorker(service, models, { trialsAtOnce: 8, stdioAddressOf, mcpLimits });
});
afterAll(async () => {
  await worker.stop();
  for (const stop of stops) await stop();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

test('a tool that toggles does the same in every trial, also while others run', async () => {
  const everything = await startEverythingServer('streamableHttp');
  stops.push(() => everything.stop());
  const { id } = await saveServer(service, tenant, { url: everything.url });
  const run = await ran([id], callsAndSays(['toggle-simulated-logging'], 'Started'), 6);
  expect(run.summary).toMatchObject({ total: 6, passed: 6 });
});

test('a program that ends at its third call is started for every trial, and none is left', async () => {
  const { id } = await saveStdioServer(service, tenant);
  const run = await ran([id], callsAndSays(['count', 'count'], 'call 2'), 8);
  expect(run.summary).toMatchObject({ total: 8, passed: 8 });
  // Programs that were started in advance but not used have ended too.
  await expect.poll(() => startedPrograms().filter(isRunning)).toEqual([]);
  expect(startedPrograms().length).toBeGreaterThanOrEqual(8);
});

test('trials with more servers than the organization may have sessions neither fail nor wait for ever', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await fake({})).id));
  const run = await ran(ids, pinnedEcho(), 8);
  expect(run.summary).toMatchObject({ total: 8, passed: 8 });
});

describe('sessions', () => {
  test('every trial has its own and ends it; a run that says so shares one and says so', async () => {
    const { id, opened, ended } = await fake({});
    const run = await ran([id], pinnedEcho(), 5);
    expect(run).toMatchObject({ summary: { passed: 5 } });
    expect(run.sessions).toBeUndefined();
    expect(opened()).toBe(5);
    await expect.poll(ended).toBe(5);
    const shared = await ran([id], pinnedEcho(), 5, { sessions: 'run' });
    expect(shared).toMatchObject({ summary: { passed: 5 }, sessions: 'run' });
    expect(opened()).toBe(6);
    await expect.poll(ended).toBe(6);
  });

  test('a server that was restarted is met anew, in mid-run and between runs', async () => {
    const { id, forget } = await fake({}, { callsBeforeForgetting: 4 });
    const run = await ran([id], pinnedEcho(3), 4);
    expect(run.summary).toMatchObject({ total: 4, passed: 4 });
    forget();
    const shared = await ran([id], pinnedEcho(3), 4, { sessions: 'run' });
    expect(shared.summary).toMatchObject({ total: 4, passed: 4 });
  });

  test('so is one whose session a run shares, when it is restarted in mid-run', async () => {
    const { id } = await fake({}, { callsBeforeForgetting: 5 });
    const run = await ran([id], pinnedEcho(3), 4, { sessions: 'run' });
    expect(run.summary).toMatchObject({ total: 4, passed: 4 });
  });
});

describe('a server that allows two calls at a time', () => {
  test.each([
    ['calls', 'tools/call', 429, {}],
    ['lists, with 503 and a time', 'tools/list', 503, { 'retry-after': '0' }],
    ['connections', 'initialize', 429, {}],
  ])('passes every trial: %s', async (_, method, status, headers) => {
    let [atOnce, refused] = [0, 0];
    let tooMany: () => void = () => undefined;
    const thirdCame = new Promise<void>((resolve) => {
      tooMany = resolve;
    });
    const { id } = await fake(
      {},
      {
        async before(request, response) {
          if (request.message['method'] !== method) return false;
          if (atOnce === 2) {
            refused += 1;
            tooMany();
            response.writeHead(status, headers).end();
            return true;
          }
          atOnce += 1;
          await thirdCame;
          await new Promise((resolve) => setTimeout(resolve, 20));
          atOnce -= 1;
          return false;
        },
      },
    );
    const run = await ran([id], pinnedEcho(), 16);
    expect(refused).toBeGreaterThan(0);
    expect(run.summary).toMatchObject({ total: 16, passed: 16 });
  });

  test('one that refuses us alone is a matter of the set-up, and no trial is graded', async () => {
    const { id } = await fake({
      'tools/call': (response: ServerResponse) =>
        response.writeHead(429, { 'retry-after': '999999' }).end(),
    });
    const run = await ran([id], pinnedEcho(), 2);
    const { body } = await api('GET', `eval-runs/${run.id}/iterations`);
    for (const trial of body.items) {
      expect(trial).toMatchObject({ status: 'setup_failed', result: null });
    }
    const summary = (await api('GET', `eval-runs/${run.id}/decision-summary`)).body;
    expect(summary).toMatchObject({ verdict: 'inconclusive' });
    expect(summary.diagnostics.items[0].chain).toMatchObject({ failureCategory: 'setup' });
  });
});

test('a run goes on with the address and the headers of its launch, whatever becomes of the server', async () => {
  const seen: unknown[] = [];
  const before: Before = (request) => {
    if (request.message['method'] === 'tools/call') seen.push(request.headers['x-secret']);
    return false;
  };
  const first = await fake(
    { 'tools/call': slow },
    { before },
    { headers: { 'X-Secret': 'first-secret' } },
  );
  const second = await fake({}, {});
  const runId = await launched([first.id], pinnedEcho(), 24);
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  const edit = { url: second.url, headers: { 'X-Secret': 'two' } };
  expect((await api('PATCH', `servers/${first.id}`, edit)).status).toBe(200);
  // Another worker process continues the run.
  await worker.stop();
  worker = await startTestWorker(service, callingModel(), { trialsAtOnce: 8 });
  await service.owner.sql`delete from servers where id = ${first.id}`;
  const run = await untilEnded(service, tenant, runId);
  expect(run.summary).toMatchObject({ total: 24, passed: 24 });
  expect(second.opened()).toBe(0);
  expect(new Set(seen)).toEqual(new Set(['first-secret']));
  const [row] = await service.owner.sql`
    select plan, sealed_servers from eval_run_plans where run_id = ${runId}`;
  expect(row?.['sealedServers']).toBeNull();
  expect(row?.['plan']).not.toContain('first-secret');
});

type Before = (request: FakeRequest, response: ServerResponse) => boolean | Promise<boolean>;
/** Answers as servers usually do to an unknown session id. */
const refuse = (response: ServerResponse, request: FakeRequest) =>
  sendJson(response, rpcError(request, -32000, 'Bad Request: no valid session ID'), 400);

const slow: FakeAnswer = async (response, request) => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  sendJson(response, rpcResult(request, { content: [{ type: 'text', text: 'done' }] }));
};

async function fake(
  answers: Readonly<Record<string, FakeAnswer>>,
  conduct: {
    readonly callsBeforeForgetting?: number;
    readonly before?: Before;
  } = {},
  fields: object = {},
) {
  const sessions = new Set<unknown>();
  let [opened, ended, calls, hasForgotten] = [0, 0, 0, false];
  const { before = () => false } = conduct;
  const guarded =
    (answer: FakeAnswer): FakeAnswer =>
    async (response, request) => {
      if (await before(request, response)) return;
      const isCall = request.message['method'] === 'tools/call';
      if (isCall && !hasForgotten && calls === conduct.callsBeforeForgetting) {
        sessions.clear();
        hasForgotten = true;
      }
      if (!sessions.has(request.headers['mcp-session-id'])) return refuse(response, request);
      if (isCall) calls += 1;
      if (typeof answer === 'function') return answer(response, request);
      return sendJson(response, rpcResult(request, answer));
    };
  const echo = { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  const server = await startFakeMcpServer({
    async initialize(response, request) {
      if (await before(request, response)) return;
      opened += 1;
      const sessionId = `session-${Math.random()}`;
      sessions.add(sessionId);
      response.setHeader('mcp-session-id', sessionId);
      const serverInfo = { name: 'fake', version: '1' };
      const capabilities = { tools: {} };
      const result = { protocolVersion: '2025-06-18', capabilities, serverInfo };
      sendJson(response, rpcResult(request, result));
    },
    'tools/list': guarded(answers['tools/list'] ?? echo),
    'tools/call': guarded(answers['tools/call'] ?? { content: [{ type: 'text', text: 'done' }] }),
    DELETE(response) {
      ended += 1;
      response.writeHead(200).end();
    },
  });
  stops.push(() => server.stop());
  const { id } = await saveServer(service, tenant, {
    name: unique('Fake'),
    url: server.url,
    ...fields,
  });
  serverNames.set(id, (await api('GET', `servers/${id}`)).body.name);
  return {
    id,
    url: server.url,
    opened: () => opened,
    ended: () => ended,
    forget() {
      sessions.clear();
      hasForgotten = true;
    },
  };
}

const serverNames = new Map<string, string>();

function pinnedEcho(times = 1) {
  return (ids: readonly string[]): object[] =>
    ids.flatMap((serverId, place) =>
      Array.from({ length: times }, (_, index) => ({
        id: `call-${place}-${index}`,
        kind: 'toolCall',
        toolName: 'echo',
        arguments: {},
        serverId,
        serverName: serverNames.get(serverId) ?? '',
      })),
    );
}

type Steps = object[] | ((ids: readonly string[]) => object[]);

async function launched(ids: readonly string[], steps: Steps, repetitions: number, settings = {}) {
  const made = await api('POST', 'eval-suites', {
    name: unique('Suite'),
    serverIds: ids,
    model: 'scripted/one',
    settings: { verdictPolicyDefaults: { repetitions }, ...settings },
    tests: [{ title: 'Case', steps: typeof steps === 'function' ? steps(ids) : steps }],
  });
  if (made.status !== 201) throw new Error(made.text);
  const { body, status, text } = await api('POST', 'eval-runs', { suiteId: made.body.suiteId });
  if (status !== 202) throw new Error(text);
  return body.runId as string;
}

async function ran(ids: readonly string[], steps: Steps, repetitions: number, settings = {}) {
  const runId = await launched(ids, steps, repetitions, settings);
  return untilEnded(service, tenant, runId);
}

function api(method: string, path: string, body?: unknown) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  return call(url, { method, key: tenant.key, body });
}

function startedPrograms(): number[] {
  return readdirSync(directory).flatMap((name) =>
    name.startsWith('pid-') ? [Number(name.slice(4))] : [],
  );
}

/** A zombie process does not count as running. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
