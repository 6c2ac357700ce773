import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { closeServers, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import type { ChildWorker } from '@proofmark/harness/work.child.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';

const script = fileURLToPath(import.meta.resolve('@proofmark/harness/work.child.ts'));
const longest = { timeout: 60_000, interval: 50 };
let service: TestService;
let models: ModelGateway;
let tenant: Tenant;
let suiteId: string;
let serverId: string;
let toolName = 'stock';
let worker: TestWorker | undefined;
let child: Child | undefined;
/** The number of tool calls so far, and the number after which the tool stops answering. */
let calls = 0;
let heldAfter = Number.POSITIVE_INFINITY;
/** The number of tool calls after which the tool fails. */
let failsAfter = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
  service = await startTestService({
    models,
    runLimits: { ...defaultRunLimits, concurrentRuns: 1 },
  });
  tenant = await createTenant(service, 'mutated');
  const server = await startServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    return answer(JSON.parse(await textOf(request)), response);
  });
  const url = `${server.url}/mcp`;
  const fields = { name: 'Shop', enabled: true, transportType: 'http', url };
  serverId = (await api('POST', 'servers', fields)).body.id;
  const made = await api('POST', 'eval-suites', {
    name: 'Shop',
    model: 'proofmark/lexical-1',
    serverIds: [serverId],
    tests: ['one', 'two'].map((title) => ({ title, steps: stepsOf(title) })),
  });
  expect(made.status, made.text).toBe(201);
  suiteId = made.body.id ?? made.body.suiteId;
});
afterAll(async () => {
  heldAfter = Number.POSITIVE_INFINITY;
  child?.kill('SIGKILL');
  await child?.closed;
  await worker?.stop();
  await closeServers();
  await models.close();
  await service.stop();
});

function stepsOf(title: string) {
  const seen = { type: 'toolResultContains', toolName, needle: title };
  return [
    { id: 'call', kind: 'toolCall', serverName: 'Shop', toolName, arguments: { title } },
    { id: 'check', kind: 'assert', assertion: seen },
  ];
}

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly title?: string } };
}

async function answer({ id, method, params }: Asked, response: ServerResponse): Promise<void> {
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call') {
    calls += 1;
    while (calls > heldAfter) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const isError = method === 'tools/call' && calls > failsAfter;
  const title = params?.arguments?.title;
  const properties = { title: { type: 'string' } };
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'shop', version: '1' },
    },
    'tools/list': { tools: [{ name: toolName, inputSchema: { type: 'object', properties } }] },
    'tools/call': isError
      ? { content: [{ type: 'text', text: 'Out of order.' }], isError }
      : { content: [{ type: 'text', text: JSON.stringify({ title, copies: 5 }) }] },
  };
  const result = results[method];
  const error = { code: -32601, message: 'Method not found' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
}

function api(method: string, path: string, body?: unknown) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  return call(url, { method, key: tenant.key, body });
}

const mutations = (rest = '') => `eval-suites/${suiteId}/mutations${rest}`;

async function begin(body: object = {}): Promise<string> {
  const begun = await api('POST', mutations(), body);
  expect(begun.status, begun.text).toBe(202);
  return begun.body.mutationId;
}

async function ended(mutationId: string) {
  const isOver = async () => {
    const { body } = await api('GET', mutations(`/${mutationId}`));
    return ['pending', 'running'].includes(body.status) ? undefined : body;
  };
  return vi.waitUntil(isOver, longest);
}

async function countParts(mutationId: string): Promise<number> {
  const rows = await service.owner.sql`
    select from mutation_parts where mutation_id = ${mutationId}`;
  return rows.length;
}

test('one at a time, in the slot of a run, until it is cancelled', async () => {
  const mutationId = await begin({ maxMutants: 7 });
  const second = await api('POST', mutations());
  expect([second.status, second.body.details]).toMatchObject([
    409,
    { reason: 'MUTATION_IN_PROGRESS', mutationId },
  ]);
  const run = await api('POST', 'eval-runs', { suiteId });
  expect([run.status, run.body.details.reason]).toEqual([429, 'CONCURRENT_RUN_LIMIT']);
  const gone = await api('DELETE', mutations(`/${mutationId}`));
  expect(gone.body).toMatchObject({ status: 'cancelled', mutants: [], score: { value: null } });
  expect((await api('DELETE', mutations(`/${mutationId}`))).status).toBe(200);
  const listed = await api('GET', mutations());
  expect(listed.body.items).toMatchObject([{ mutationId, status: 'cancelled', maxMutants: 7 }]);
});

test('a server that fails by itself is no suite that notices: nothing is killed', async () => {
  worker = await startTestWorker(service, models);
  calls = 0;
  // The tool fails only after the base (the unchanged suite) is played: three trials for each of
  // the two cases.
  failsAfter = 6;
  const report = await ended(await begin());
  failsAfter = Number.POSITIVE_INFINITY;
  expect(report).toMatchObject({ status: 'completed', leftOut: [], score: { killed: 0 } });
  const outcomes = report.mutants.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes).toContain('undecided');
});

test('no tool held for writing is called that nobody allowed', async () => {
  toolName = 'cancel_order';
  const made = await api('POST', 'eval-suites', {
    name: 'Writes',
    model: 'proofmark/lexical-1',
    serverIds: [serverId],
    tests: [{ title: 'one', steps: stepsOf('one') }],
  });
  const ofSuite = `eval-suites/${made.body.suiteId}/mutations`;
  const play = async (body: object) => {
    calls = 0;
    const begun = await api('POST', ofSuite, { maxMutants: 2, ...body });
    expect(begun.status, begun.text).toBe(202);
    const isOver = async () => {
      const read = await api('GET', `${ofSuite}/${begun.body.mutationId}`);
      return ['pending', 'running'].includes(read.body.status) ? undefined : read.body;
    };
    return vi.waitUntil(isOver, longest);
  };
  const refused = await play({});
  expect(calls).toBe(0);
  expect(refused).toMatchObject({ status: 'completed', mutants: [] });
  expect(refused.leftOut[0].reason).toContain('allowWrites: ["cancel_order"]');
  const allowed = await play({ allowWrites: ['cancel_order'] });
  expect(allowed).toMatchObject({ leftOut: [], mutants: [{}, {}] });
  expect(calls).toBeGreaterThan(0);
  toolName = 'stock';
  await worker?.stop();
  worker = undefined;
});

test('what is cancelled in the middle keeps what is done, and gets nothing more', async () => {
  [calls, heldAfter] = [0, 8];
  worker = await startTestWorker(service, models);
  const mutationId = await begin();
  await vi.waitUntil(() => calls > heldAfter, longest);
  const before = await countParts(mutationId);
  await api('DELETE', mutations(`/${mutationId}`));
  heldAfter = Number.POSITIVE_INFINITY;
  // The same worker has completed the next mutation, so it has finished all its writes about the
  // cancelled one.
  const next = await ended(await begin());
  expect(next.status).toBe('completed');
  expect(await countParts(mutationId)).toBe(before);
  const [row] = await service.owner.sql`
    select sealed_servers, sealed_providers from suite_mutations where id = ${mutationId}`;
  expect(row).toEqual({ sealedServers: null, sealedProviders: null });
  await worker.stop();
  worker = undefined;
}, 120_000);

test('killed in the base and among its mutants, it comes to the same, and no part is there twice', {
  timeout: 180_000,
}, async () => {
  const resultOf = async (mutationId: string) => {
    const { mutants, score, byStage, progress, leftOut, status } = await ended(mutationId);
    return { mutants, score, byStage, progress, leftOut, status };
  };
  worker = await startTestWorker(service, models);
  const whole = await resultOf(await begin({ seed: 5 }));
  await worker.stop();
  worker = undefined;
  const mutationId = await begin({ seed: 5 });
  // Kills the worker during the base, and again while some mutants are done and others running.
  for (const [most, parts] of [
    [4, 0],
    [16, 3],
  ] as const) {
    [calls, heldAfter] = [0, most];
    const dying = await startDying();
    const isAtIt = async () => calls > most && (await countParts(mutationId)) >= parts;
    await vi.waitUntil(isAtIt, longest);
    dying.kill('SIGKILL');
    await dying.closed;
    heldAfter = Number.POSITIVE_INFINITY;
  }
  const left = await countParts(mutationId);
  expect(left).toBeGreaterThan(2);
  worker = await startTestWorker(service, models);
  expect(await resultOf(mutationId)).toEqual(whole);
  expect(whole.status).toBe('completed');
  expect(left).toBeLessThan(whole.progress.total);
  expect(await countParts(mutationId)).toBe(whole.progress.total + 2);
  const [evidence] = await service.owner.sql`
    select count(evidence)::integer as kept from mutation_parts where mutation_id = ${mutationId}`;
  expect(evidence).toEqual({ kept: 0 });
  const runs = await service.owner.sql`select from eval_runs where suite_id = ${suiteId}`;
  expect(runs).toHaveLength(0);
});

async function startDying(): Promise<Child> {
  const { serviceUrl, secretKey } = service;
  const asked: ChildWorker = {
    serviceUrl,
    secretKey: secretKey.toString('hex'),
    trialsAtOnce: 4,
    callsPerServer: 4,
    providers: [],
  };
  child = startChild(script, [JSON.stringify(asked)]);
  await child.first;
  return child;
}
