import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelFailure } from '../../../../outside/model/model-failure.ts';
import {
  createScriptedModel,
  type ScriptedReply,
} from '../../../../outside/model/scripted-model.ts';
import { defaultSpending } from '../../../../platform/spending/spending.ts';

const orderId = {
  type: 'object',
  properties: { orderId: { type: 'string' } },
  required: ['orderId'],
};
const tools = [
  { name: 'order_status', description: 'Where an order is.', inputSchema: orderId },
  { name: 'order_history', description: 'What was ordered before.', inputSchema: orderId },
  { name: 'cancel_order', description: 'Cancel an order.', inputSchema: orderId },
  { name: 'opening_hours', description: 'When we are open.', inputSchema: { type: 'object' } },
];

let service: TestService;
let tenant: Tenant;
let shop: FakeMcpServer;
let ask: ProjectCaller;
let shopId: string;
const shopName = 'The shop';

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  shop = await startFakeMcpServer({ 'tools/list': { tools } });
  ask = projectCaller(service, tenant);
  shopId = await saveServer(shop.url, shopName);
});
afterAll(async () => {
  await service.stop();
  await shop.stop();
});

async function saveServer(url: string, name = unique('Server')): Promise<string> {
  const body = { name, enabled: true, transportType: 'http', url };
  return (await ask('POST', 'servers', body)).body.id;
}

async function newSuite(serverIds: readonly string[] = [shopId]): Promise<string> {
  const tests = [{ title: 'First', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }] }];
  const body = { name: unique('Suite'), serverIds, model: 'proofmark/lexical-1', tests };
  const made = await ask('POST', 'eval-suites', body);
  expect(made.status, made.text).toBe(201);
  return made.body.suiteId;
}

async function casesOf(suiteId: string): Promise<{ id: string; title: string }[]> {
  return (await ask('GET', `eval-suites/${suiteId}/cases?limit=200`)).body.items.slice(1);
}

function generate(
  suiteId: string,
  body: object = {},
  headers: Record<string, string> = {},
  baseUrl = service.baseUrl,
) {
  const url = `${baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${suiteId}/cases/generate`;
  return call(url, { method: 'POST', key: tenant.key, body, headers });
}

async function spent(): Promise<{ generations: number; steps: number }> {
  const { sql } = service.owner;
  const [row] = await sql<{ generations: number; steps: number }[]>`
    select (select coalesce(sum(used), 0)::integer from daily_counters where counter = 'generationsPerDay') as generations,
      (select count(*)::integer from ledger where kind = 'generation') as steps`;
  return row as { generations: number; steps: number };
}

test('the default mix is drafted by rules, stored, and named after who drafted it', async () => {
  const suiteId = await newSuite();
  const before = await spent();
  const { status, body, text } = await generate(suiteId);
  expect(status, text).toBe(200);
  expect(body.generationModel).toBe('proofmark/drafter-1');
  expect(body.counts).toEqual({ normal: 5, negative: 1 });
  expect(body.skipped).toEqual([]);
  const titles = body.created.map(({ title }: { title: string }) => title);
  expect(titles).toEqual([
    'opening_hours',
    'order_history',
    'order_status',
    'order_history, order_status',
    'order_history, order_status 2',
    'small talk',
  ]);
  expect(await casesOf(suiteId)).toEqual(body.created);
  expect(body.created[2].steps).toEqual([
    { id: 'step-1', kind: 'prompt', prompt: 'Where an order is. orderId: sample' },
    {
      id: 'step-2',
      kind: 'assert',
      assertion: {
        type: 'toolCalledWith',
        toolName: 'order_status',
        args: { args: { orderId: 'sample' } },
      },
    },
  ]);
  expect(body.created[5]).toMatchObject({ isNegative: true });
  expect(body.created[5].steps).toHaveLength(1);
  const after = await spent();
  expect(after).toEqual({ generations: before.generations + 1, steps: before.steps + 1 });
});

test('the body is strict, and a mix above 25 is refused', async () => {
  const suiteId = await newSuite();
  const bad = [
    { count: 3 },
    { mode: 'other' },
    { caseMix: { simple: 11 } },
    { caseMix: { hard: 1 } },
    { caseMix: { simple: 10, multiTool: 10, multiTurn: 5 } },
    { idempotencyKey: '' },
    { caseModels: ['a/b'] },
  ];
  for (const body of bad) {
    const answer = await generate(suiteId, body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(answer.body.details.path).toMatch(/^body/);
  }
  expect(await casesOf(suiteId)).toEqual([]);
});

test('mode, models and voices are taken over', async () => {
  const suiteId = await newSuite();
  const caseModels = [{ model: 'proofmark/lexical-1' }];
  const negative = await generate(suiteId, { mode: 'negative', caseModels });
  expect(negative.body.counts).toEqual({ normal: 0, negative: 3 });
  expect(negative.body.created[0].models).toEqual([
    { model: 'proofmark/lexical-1', provider: 'proofmark' },
  ]);
  const varied = await generate(suiteId, { varyUserStyles: true });
  expect(varied.body.created[1].steps[0].prompt).toMatch(
    /^\w.* What was ordered before\. orderId: sample$/,
  );
});

test('servers are chosen as for a run', async () => {
  const bare = await newSuite();
  const nothing = { environment: { servers: [] } };
  expect((await ask('PATCH', `eval-suites/${bare}`, nothing)).status).toBe(200);
  expect((await generate(bare)).body.details).toMatchObject({
    path: 'body.servers',
    reason: 'NO_SAVED_SERVER_SELECTION',
  });
  expect((await generate(bare, { servers: [shopName.toUpperCase()] })).body.counts.normal).toBe(5);
  expect((await generate(bare, { servers: ['Nobody'] })).body.details).toMatchObject({
    path: 'body.servers[0]',
    reason: 'SERVER_NOT_FOUND',
  });
  const { environmentId } = tenant;
  expect((await generate(bare, { environmentId })).body.details.reason).toBe(
    'ENVIRONMENT_NOT_ATTACHED',
  );
  const patch = { environmentIds: [environmentId] };
  expect((await ask('PATCH', `eval-suites/${bare}`, patch)).status).toBe(200);
  expect((await generate(bare, { servers: [shopId] })).body.details.reason).toBe(
    'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
  );
  // The environment's only server cannot be reached.
  expect((await generate(bare)).status).toBe(502);
  expect((await generate('ste_nobody')).status).toBe(404);
});

test('a server that is away is told as diagnostics tell it, and uses no key up', async () => {
  const away = await startFakeMcpServer({ 'tools/list': { tools } });
  const serverId = await saveServer(away.url);
  await away.stop();
  const suiteId = await newSuite([serverId]);
  const before = await spent();
  const headers = { 'idempotency-key': unique('key') };
  const answer = await generate(suiteId, {}, headers);
  expect(answer.status, answer.text).toBe(502);
  expect(answer.body.details.reason).toBe('CONNECT_FAILED');
  expect(await spent()).toEqual(before);
  expect((await generate(suiteId, { servers: [shopId] }, headers)).status).toBe(200);
});

test('with a key the first answer is given again, and nothing is asked, made or charged', async () => {
  const suiteId = await newSuite();
  const key = unique('key');
  const first = await generate(suiteId, {}, { 'idempotency-key': key });
  const before = { ...(await spent()), asked: shop.requests.length };
  const again = await generate(
    suiteId,
    { idempotencyKey: 'loses' },
    { 'x-some-idempotency-key': key },
  );
  expect(again.body).toEqual(first.body);
  expect((await generate(suiteId, { idempotencyKey: key })).body).toEqual(first.body);
  expect({ ...(await spent()), asked: shop.requests.length }).toEqual(before);
  expect(await casesOf(suiteId)).toHaveLength(6);
  const other = await generate(suiteId, { mode: 'negative', idempotencyKey: key });
  expect(other.status).toBe(409);
  expect(other.body.details.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  // An idempotency key is valid for one suite. Without a key, every call drafts again.
  expect((await generate(await newSuite(), { mode: 'negative', idempotencyKey: key })).status).toBe(
    200,
  );
  const secondAnswer = await generate(suiteId);
  expect((await spent()).generations).toBe(before.generations + 2);
  // The new drafts equal the stored cases, so all are skipped.
  expect(secondAnswer.body.created).toEqual([]);
  expect(secondAnswer.body.skipped).toHaveLength(6);
  expect(secondAnswer.body.skipped[0]).toEqual({
    title: 'opening_hours',
    error: 'The suite already has a case with the same content, so this draft was not added.',
  });
  expect(await casesOf(suiteId)).toHaveLength(6);
});

test('what a mix asks for and cannot be made is told, and what was to be made besides', async () => {
  const lonely = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] },
  });
  const suiteId = await newSuite([await saveServer(lonely.url)]);
  const keyed = { 'idempotency-key': unique('key') };
  const caseMix = { simple: 2, multiTool: 2, complex: 1, negative: 0 };
  const { status, body, text } = await generate(suiteId, { caseMix }, keyed);
  expect(status, text).toBe(200);
  expect(body.counts).toEqual({ normal: 1, negative: 0 });
  expect(body.mix).toEqual({ simple: 2, multiTool: 2, multiTurn: 1, complex: 1, negative: 0 });
  expect(body.skipped.map(({ title }: { title: string }) => title)).toEqual([
    ...['simple', 'multiTool', 'complex'],
  ]);
  expect(body.skipped[0].error).toBe(
    '2 simple cases requested, 1 drafted. Every tool that can be used for drafts already has one such case.',
  );
  expect((await generate(suiteId, { caseMix }, keyed)).body).toEqual(body);
  const { models, baseUrl, stop } = await withModel([{ text: JSON.stringify({ cases: [] }) }]);
  const ofModel = await generate(suiteId, { caseMix: { simple: 1, negative: 0 } }, {}, baseUrl);
  await stop();
  await lonely.stop();
  expect(models.requests).toHaveLength(1);
  expect(ofModel.body.skipped).toEqual([
    {
      title: 'simple',
      error: '1 simple case requested, 0 drafted. The model drafted no more usable cases.',
    },
  ]);
});

test('many at once with one key, over two processes: one set of cases, one charge', async () => {
  const suiteId = await newSuite();
  const second = await service.another();
  const headers = { 'idempotency-key': unique('key') };
  const before = await spent();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      generate(suiteId, {}, headers, index % 2 === 0 ? service.baseUrl : second.baseUrl),
    ),
  );
  await second.stop();
  for (const { status, body, text } of answers) {
    expect(status, text).toBe(200);
    expect(body.created).toEqual(answers[0]?.body.created);
  }
  expect(await casesOf(suiteId)).toHaveLength(6);
  expect((await spent()).generations).toBe(before.generations + 1);
});

test('a draft that cannot be stored is named with why', async () => {
  const long = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'n'.repeat(220), inputSchema: { type: 'object' } }] },
  });
  const suiteId = await newSuite([await saveServer(long.url)]);
  const caseMix = { simple: 1, multiTool: 0, multiTurn: 0, negative: 0 };
  const tooLong = await generate(suiteId, { caseMix });
  await long.stop();
  expect(tooLong.status, tooLong.text).toBe(200);
  expect(tooLong.body.created).toEqual([]);
  expect(tooLong.body.skipped).toEqual([
    { title: 'n'.repeat(220), error: expect.stringContaining('at most 200') },
  ]);
  const full = await newSuite();
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
  for (let batch = 0; batch < 5; batch += 1) {
    const cases = Array.from({ length: batch === 4 ? 97 : 100 }, () => ({
      title: unique('One'),
      steps,
    }));
    expect((await ask('POST', `eval-suites/${full}/cases/batch`, { cases })).status).toBe(201);
  }
  const { body } = await generate(full);
  expect(body.counts).toEqual({ normal: 2, negative: 0 });
  expect(body.skipped).toHaveLength(4);
  expect(body.skipped[0]).toEqual({
    title: 'order_status',
    error:
      'A suite has at most 500 cases, so this draft was not added; delete a case first, or draft cases for another suite.',
  });
});

async function withModel(
  script: readonly ScriptedReply[],
  generationsPerDay: number | null = null,
) {
  const models = createScriptedModel(script);
  const limits = { ...defaultSpending.limits, generationsPerDay };
  const { baseUrl, stop } = await service.another({
    models,
    partModels: { insights: 'off', agent: 'off', generation: 'scripted/one' },
    spending: { limits, brakes: false },
  });
  return { models, baseUrl, stop };
}

const drafted = (toolName: string, title = toolName) => ({
  bucket: 'simple',
  title,
  turns: [{ prompt: 'Do it.', expectedCalls: [{ toolName, arguments: { orderId: 'A1' } }] }],
});

test('the answer of a model is data: unknown tools are dropped, prose is asked for again', async () => {
  const suiteId = await newSuite();
  const cases = [drafted('order_status'), drafted('delete_everything')];
  const { models, baseUrl, stop } = await withModel([
    { text: 'With pleasure!' },
    { text: JSON.stringify({ cases }) },
  ]);
  const before = await spent();
  const { status, body, text } = await generate(suiteId, {}, {}, baseUrl);
  await stop();
  expect(status, text).toBe(200);
  expect(body.generationModel).toBe('scripted/one');
  expect(body.created.map(({ title }: { title: string }) => title)).toEqual(['order_status']);
  expect(models.requests).toHaveLength(2);
  expect(models.requests[1]?.messages[0]?.content).toContain('The answer holds no JSON object.');
  expect(await spent()).toEqual({ generations: before.generations + 1, steps: before.steps + 2 });
});

test('a model that fails or answers prose twice makes nothing; what it cost is written', async () => {
  const suiteId = await newSuite();
  const failure = new ModelFailure('RATE_LIMITED', 'The provider limits us.', 2);
  const { baseUrl, stop } = await withModel([{ text: 'no' }, { text: 'no' }, failure]);
  const before = await spent();
  const prose = await generate(suiteId, {}, {}, baseUrl);
  expect([prose.status, prose.body.details.reason]).toEqual([500, 'INVALID_MODEL_OUTPUT']);
  const limited = await generate(suiteId, {}, {}, baseUrl);
  await stop();
  expect([limited.status, limited.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(await spent()).toEqual({ ...before, steps: before.steps + 3 });
  expect(await casesOf(suiteId)).toEqual([]);
});

test('credits that are used up, or a model without a price, are told before a server is asked', async () => {
  const suiteId = await newSuite();
  const limits = { ...defaultSpending.limits, creditsPerDay: 5 };
  const other = await service.another({
    models: createScriptedModel([]),
    partModels: { insights: 'off', agent: 'off', generation: 'scripted/one' },
    spending: { limits, brakes: false },
  });
  const asked = shop.requests.length;
  const refused = await generate(suiteId, {}, {}, other.baseUrl);
  await other.stop();
  expect([refused.status, refused.body.details.reason]).toEqual([403, 'MODEL_UNPRICED']);
  expect(shop.requests.length).toBe(asked);
});

test('a day that is used up asks no model, and a replay needs none of it', async () => {
  const suiteId = await newSuite();
  const { generations } = await spent();
  const { models, baseUrl, stop } = await withModel(
    [{ text: JSON.stringify({ cases: [drafted('order_status')] }) }],
    generations + 1,
  );
  const keyed = { 'idempotency-key': unique('key') };
  const first = await generate(suiteId, {}, keyed, baseUrl);
  expect(first.status, first.text).toBe(200);
  const refused = await generate(suiteId, {}, {}, baseUrl);
  expect([refused.status, refused.body.details.limit]).toEqual([429, 'generationsPerDay']);
  expect((await generate(suiteId, {}, keyed, baseUrl)).body).toEqual(first.body);
  await stop();
  expect(models.requests).toHaveLength(1);
});
