import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

const lexical = 'proofmark/lexical-1';
let fixture: EvalFixture;
let modelCalls = 0;
const servers = new Set<FakeMcpServer>();

beforeAll(async () => {
  fixture = await startEvalFixture({
    one: ({ messages }) => {
      modelCalls += 1;
      const isAnswered = messages.some(({ role }) => role === 'tool');
      if (isAnswered) return { text: 'There are 5 copies of Emma.' };
      return { toolCalls: [{ name: 'stock', arguments: { title: 'Emma' } }] };
    },
    secretive: ({ messages }) => {
      const isAnswered = messages.some(({ role }) => role === 'tool');
      if (isAnswered) return { text: 'There are 5 copies of Emma.' };
      return { toolCalls: [{ name: 'stock', arguments: { title: 'Emma', token: 'tell-nobody' } }] };
    },
  });
});
afterAll(async () => {
  await fixture.stop();
  for (const server of servers) await server.stop();
});

const text = { type: 'string' };
const tools = [
  {
    name: 'stock',
    description: 'Tells how many copies of a book are in stock.',
    inputSchema: {
      type: 'object',
      properties: { title: text, shelf: text },
      required: ['title'],
    },
  },
  {
    name: 'opening_hours',
    description: 'Tells when the shop opens.',
    inputSchema: { type: 'object', properties: {} },
  },
];

async function startShop() {
  const server = await startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': (response, request) => {
      const { name, arguments: asked } = request.message['params'] as Answer;
      const value =
        name === 'stock' ? { title: asked?.title ?? 'all', copies: 5 } : { opens: '09:00' };
      const content = [{ type: 'text', text: JSON.stringify(value) }];
      sendJson(response, rpcResult(request, { content }));
    },
  });
  servers.add(server);
  const stop = async () => {
    if (servers.delete(server)) await server.stop();
  };
  return { ...(await fixture.save(server.url)), requests: server.requests, stop };
}

const ask = (prompt: string) => ({ id: 'ask', kind: 'prompt', prompt });
const check = (id: string, assertion: object) => ({ id, kind: 'assert', assertion });
const title = { type: 'toolResultPath', toolName: 'stock', pointer: '/title', equals: 'Emma' };
const says = (needle: string) => ({ type: 'responseContains', needle });

async function mutate(suiteId: string, body: object): Promise<Answer> {
  const path = `eval-suites/${suiteId}/mutations`;
  const { mutationId, estimate } = await fixture.get(202, 'POST', path, body);
  const ended = await vi.waitUntil(
    async () => {
      const read = await fixture.get(200, 'GET', `${path}/${mutationId}`);
      return ['pending', 'running'].includes(read.status) ? undefined : read;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(ended.status).toBe('completed');
  expect(ended.estimate).toEqual(estimate);
  return ended;
}

/** Returns the mutants as `operator tool path`, grouped by outcome, in alphabetical order. */
function outcomes({ mutants }: Answer): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { operator, toolName, path = '', outcome } of mutants) {
    found[outcome] = [...(found[outcome] ?? []), `${operator} ${toolName} ${path}`.trim()].sort();
  }
  return found;
}

const survives = [
  'field-missing stock /copies',
  'number-off-by-one stock /copies',
  'wrong-type stock /copies',
];
const isKilled = [
  'empty stock',
  'error stock',
  'field-missing stock /title',
  'slow stock',
  'truncated stock',
  'wrong-type stock /title',
];

describe('with recorded servers', () => {
  test('what is decided is what live servers decide, and what was not recorded is not decided', async () => {
    const shop = await startShop();
    const counts = {
      title: 'Counts the copies',
      steps: [ask('How many copies of the book "Emma" are in stock?'), check('title', title)],
    };
    const options = { serverIds: [shop.id], model: lexical, cases: [counts] };
    const suiteId = await fixture.suite(options);
    const { runId, run } = await fixture.run(suiteId);
    expect(run.result).toBe('passed');
    const live = await mutate(suiteId, {});
    await shop.stop();
    const asked = shop.requests.length;
    const added = { title: 'Was added later', steps: counts.steps };
    await fixture.get(201, 'POST', `eval-suites/${suiteId}/cases`, added);
    const recorded = await mutate(suiteId, { servers: 'recorded', runId });
    expect(shop.requests).toHaveLength(asked);
    expect(recorded).toMatchObject({ servers: 'recorded', model: lexical, runId });
    expect(recorded.leftOut).toMatchObject([
      { title: 'Was added later', reason: expect.stringContaining('Nothing was recorded') },
    ]);
    // The model sends a parameter if it is required, but the recording has no server answer to such
    // a call.
    const sent = 'parameter-required stock /inputSchema/properties/shelf';
    const renamed = 'parameter-renamed stock /inputSchema/properties/title';
    // The lexical model calls no tool whose description is about something else than its name.
    const exchanged = 'descriptions-exchanged stock /description';
    const killed = [...isKilled, 'tool-missing stock', exchanged].sort();
    expect(outcomes(live)).toEqual({
      killed,
      survived: [...survives, renamed, sent].sort(),
      equivalent: outcomes(recorded)['equivalent'],
    });
    expect(outcomes(recorded)).toEqual({
      killed,
      survived: [...survives, renamed].sort(),
      undecided: [sent],
      equivalent: [
        'description-blank opening_hours /description',
        'description-blank stock /description',
        'parameter-renamed stock /inputSchema/properties/shelf',
        'tool-missing opening_hours',
      ],
    });
    expect(recorded.score).toMatchObject({ killed: 8, decided: 12 });
    expect(recorded.notes).toHaveLength(1);
    expect(live.notes).toEqual([]);
  }, 120_000);
});

async function recordedSuite(model = 'local/one') {
  const shop = await startShop();
  const steps = [ask('How many copies?'), check('title', title), check('says', says('5 copies'))];
  const cases = [{ title: 'Counts the copies', steps }];
  const suiteId = await fixture.suite({ serverIds: [shop.id], model, cases });
  const { runId, run } = await fixture.run(suiteId);
  expect(run.result).toBe('passed');
  return { shop, suiteId, runId };
}

describe('with the recorded model', () => {
  test('only answers are changed, only assertions about results notice, and nobody is asked', async () => {
    const { shop, suiteId, runId } = await recordedSuite();
    await shop.stop();
    const before = modelCalls + shop.requests.length;
    const body = { servers: 'recorded', model: 'recorded', runId };
    const recorded = await mutate(suiteId, body);
    expect(modelCalls + shop.requests.length).toBe(before);
    // Mutants of `copies` survive, because the model repeats its recorded answer even to another
    // number of copies.
    expect(outcomes(recorded)).toEqual({ killed: isKilled, survived: survives });
    expect(recorded).toMatchObject({ model: 'recorded', leftOut: [] });
    expect(recorded.estimate.worstCaseCredits).toBe(0);
    expect(recorded.operators).not.toContain('tool-missing');
    expect(recorded.notes.join(' ')).toContain('only assertions about results can notice');
    const [{ suggestion }] = recorded.mutants;
    expect(suggestion.assertion).toMatchObject({ type: 'toolResultPath', pointer: '/copies' });
    const path = `eval-suites/${suiteId}`;
    const checks = { mode: 'extend', list: [suggestion.assertion] };
    await fixture.get(200, 'PATCH', `${path}/cases/${suggestion.caseId}`, { checks });
    const again = await mutate(suiteId, body);
    expect(outcomes(again)).toEqual({ killed: [...isKilled, ...survives].sort() });
    const [ledger] = await fixture.service.owner.sql`
      select count(*)::integer as rows from ledger where ref like ${`%${again.mutationId}%`}`;
    expect(ledger).toEqual({ rows: 0 });
  }, 120_000);

  test('live servers are called with what it said then', async () => {
    const { shop, suiteId, runId } = await recordedSuite();
    const [models, asked] = [modelCalls, shop.requests.length];
    const recorded = await mutate(suiteId, { model: 'recorded', runId });
    expect(modelCalls).toBe(models);
    expect(shop.requests.length).toBeGreaterThan(asked);
    expect(outcomes(recorded)).toEqual({ killed: isKilled, survived: survives });
    await shop.stop();
  }, 120_000);

  test('what was taken out of its calls is not sent to live servers', async () => {
    const { shop, suiteId, runId } = await recordedSuite('local/secretive');
    const recorded = await mutate(suiteId, { model: 'recorded', runId });
    const sent = shop.requests.map(({ message }) => JSON.stringify(message));
    expect(sent.some((one) => one.includes('tell-nobody'))).toBe(true);
    expect(sent.filter((one) => one.includes('redacted'))).toEqual([]);
    expect(recorded.mutants).toEqual([]);
    expect(recorded.leftOut).toHaveLength(1);
    await shop.stop();
    const offline = await mutate(suiteId, { model: 'recorded', servers: 'recorded', runId });
    expect(outcomes(offline)).toEqual({ killed: isKilled, survived: survives });
  }, 120_000);

  test('a change of what servers list is refused', async () => {
    const { shop, suiteId, runId } = await recordedSuite();
    const operators = ['empty', 'tool-missing'];
    const body = { model: 'recorded', runId, operators };
    const refused = await fixture.get(400, 'POST', `eval-suites/${suiteId}/mutations`, body);
    expect(refused.details.path).toBe('body.operators[1]');
    await shop.stop();
  });
});

test('a run must be there, be of the suite and be recorded', async () => {
  const { shop, suiteId, runId } = await recordedSuite();
  const path = `eval-suites/${suiteId}/mutations`;
  const recorded = { servers: 'recorded' };
  const { tenant } = fixture;
  await fixture.get(404, 'POST', path, { ...recorded, runId: `${runId.slice(0, -3)}000` });
  const other = await fixture.get(400, 'POST', path, { ...recorded, runId: tenant.runId });
  expect(other.details.path).toBe('body.runId');
  for (const body of [recorded, { model: 'recorded' }, { runId }]) {
    expect((await fixture.get(400, 'POST', path, body)).details.path).toBe('body.runId');
  }
  const settings = { recordings: 'off' };
  await fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { settings });
  const unkept = await fixture.run(suiteId);
  const refused = await fixture.get(409, 'POST', path, { ...recorded, runId: unkept.runId });
  expect(refused.details.reason).toBe('NOT_RECORDED');
  await shop.stop();
});
