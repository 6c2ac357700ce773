import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import type { ChildWorker } from '@proofmark/harness/work.child.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../outside/model/create-model-gateway.ts';
import type { ModelProvider } from '../../outside/model/model-provider.ts';

const bound = 4;
const script = fileURLToPath(import.meta.resolve('@proofmark/harness/work.child.ts'));
const children: Child[] = [];
let service: TestService;
let tenant: Tenant;
let server: FakeMcpServer;
let serverId: string;
let model: OpenAiServer;
let providers: ModelProvider[];
let underWay = 0;
let most = 0;
let incompleteAnswer = 0;
let isHeld = false;
/**
 * The number of calls that the test server has received and does not answer until the test allows
 * it.
 */
let held = 0;

beforeAll(async () => {
  const tools = [{ name: 'count', description: 'Counts.', inputSchema: { type: 'object' } }];
  const counted =
    (result: object, mayBeHeld = false): FakeAnswer =>
    async (response, request) => {
      underWay += 1;
      most = Math.max(most, underWay);
      response.once('close', () => {
        underWay -= 1;
        if (!response.writableFinished) incompleteAnswer += 1;
      });
      await after(60);
      if (mayBeHeld) await whileHeld(response);
      sendJson(response, rpcResult(request, result));
    };
  server = await startFakeMcpServer({
    'tools/list': counted({ tools }),
    'tools/call': counted({ content: [{ type: 'text', text: '4' }] }, true),
  });
  model = await startOpenAiServer({ one: asksForTheTool });
  const { baseUrl } = model;
  const models = [{ name: 'one' }];
  providers = [
    { name: 'local', kind: 'openai-compatible', baseUrl, models, requestsAtOnce: bound },
  ];
  const egress = { allowLoopback: true, allowedPrivateHosts: [] };
  service = await startTestService({ models: createModelGateway({ egress, providers }) });
  tenant = await createTenant(service, 'bounded');
  const fields = { name: 'Stock', enabled: true, transportType: 'http', url: server.url };
  serverId = (await api('servers', fields)).id;
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ closed }) => closed));
  await service.stop();
  await server.stop();
  await model.stop();
});

async function whileHeld(response: ServerResponse): Promise<void> {
  held += 1;
  while (isHeld && !response.destroyed) await after(10);
  held -= 1;
}

const asksForTheTool: ModelScript = async ({ messages, tools = [] }) => {
  await after(60);
  if (messages.at(-1)?.role === 'tool') return { text: 'There are four.' };
  return { toolCalls: [{ name: tools[0]?.function.name ?? '', arguments: {} }] };
};

async function api(path: string, body: object) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  const answer = await call(url, { method: 'POST', key: tenant.key, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

async function launch(name: string): Promise<string> {
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'How many?' }];
  const tests = ['a', 'b', 'c', 'd'].map((title) => ({
    title,
    model: 'local/one',
    runs: 10,
    steps,
  }));
  const body = { suiteName: name, serverIds: [serverId], tests };
  return (await api('eval-runs', body)).runId;
}

async function startWorker(): Promise<Child> {
  const { serviceUrl, secretKey } = service;
  const asked: ChildWorker = {
    serviceUrl,
    secretKey: secretKey.toString('hex'),
    providers,
    trialsAtOnce: 8,
    callsPerServer: bound,
  };
  const child = startChild(script, [JSON.stringify(asked)]);
  children.push(child);
  await child.first;
  return child;
}

const holders = () => service.owner.sql<{ holder: string; places: number }[]>`
  select holder, places from limit_shares where target = ${`server ${serverId}`} and places > 0`;

test('two processes together ask no more at once than the bound allows, and one takes over from the other when it is killed', {
  timeout: 120_000,
}, async () => {
  const [one] = await Promise.all([startWorker(), startWorker()]);
  const runs = await Promise.all([launch('One'), launch('Other')]);
  let both = await holders();
  await vi.waitUntil(
    async () => {
      both = await holders();
      return both.length === 2;
    },
    { timeout: 20_000 },
  );
  await vi.waitUntil(() => most >= bound && model.mostAtOnce >= bound, { timeout: 20_000 });
  // Waiting calls use all slots, and each process has some, so that killing either process leaves
  // unfinished calls.
  await vi.waitUntil(
    async () => {
      isHeld = true;
      await vi.waitUntil(() => held === bound, { timeout: 20_000 });
      const now = await holders();
      const taken = now.reduce((sum, { places }) => sum + places, 0);
      const isHeldByBoth = now.length === 2 && taken === bound && held === bound;
      isHeld = isHeldByBoth;
      return isHeldByBoth;
    },
    { timeout: 40_000, interval: 200 },
  );
  expect([most, model.mostAtOnce]).toEqual([bound, bound]);
  one.kill('SIGKILL');
  await one.closed;
  // The calls of the killed process have ended. The other process gets all slots once the lease
  // expires.
  await vi.waitUntil(() => incompleteAnswer > 0, { timeout: 20_000 });
  await vi.waitUntil(async () => (await holders()).length === 1, { timeout: 20_000 });
  await vi.waitUntil(() => underWay === bound, { timeout: 20_000 });
  const left = await holders();
  expect(left).toEqual([{ holder: left[0]?.holder, places: bound }]);
  expect(both.map(({ holder }) => holder)).toContain(left[0]?.holder);
  isHeld = false;
  for (const runId of runs) {
    const run = await untilEnded(service, tenant, runId, 60_000);
    expect(run.summary).toMatchObject({ total: 40, passed: 40 });
  }
  expect([most, model.mostAtOnce]).toEqual([bound, bound]);
});
