import {
  type AgentProject,
  calls,
  chatMessage,
  startAgentProject,
  toolsOfBookshop,
} from '@proofmark/harness/agent-project.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type { ModelScript, ScriptedReply } from '../../../outside/model/scripted-model.ts';

let project: AgentProject;
let service: AgentProject['service'];
let tenant: AgentProject['tenant'];
let serverId: AgentProject['serverId'];
let turn: AgentProject['turn'];
let saveServer: AgentProject['saveServer'];
let withModel: AgentProject['withModel'];
let suite: AgentProject['suite'];
let countOf: AgentProject['countOf'];

beforeAll(async () => {
  project = await startAgentProject();
  ({ service, tenant, serverId, turn, saveServer, withModel, suite, countOf } = project);
});
afterAll(() => project.stop());

test('bounds of the body', async () => {
  const bytes = (count: number) => [chatMessage('a'.repeat(count))];
  const cases: readonly (readonly [unknown, number])[] = [
    [[], 400],
    [Array.from({ length: 51 }, () => chatMessage('hello')), 400],
    [bytes(8192), 200],
    [bytes(8193), 400],
    [[chatMessage('é'.repeat(4096))], 200],
    [[chatMessage('é'.repeat(4097))], 400],
    [Array.from({ length: 12 }, () => chatMessage('a'.repeat(8000))), 200],
    [Array.from({ length: 13 }, () => chatMessage('a'.repeat(8000))), 400],
    [[chatMessage('hello', 'system')], 400],
    [[chatMessage('')], 400],
    [[{ role: 'user', content: 1 }], 400],
    [{}, 400],
  ];
  for (const [messages, status] of cases) {
    const answer = await turn(messages);
    expect(answer.status, `${answer.text} ${JSON.stringify(messages).slice(0, 80)}`).toBe(status);
  }
  const more = { conversationId: 'c', slackChannelId: 's', idempotencyKey: 'k' };
  expect((await turn([chatMessage('hello')], more)).status).toBe(200);
  for (const bad of [{ other: 1 }, { idempotencyKey: '' }, { idempotencyKey: 'k'.repeat(201) }])
    expect((await turn([chatMessage('hello')], bad)).status).toBe(400);
});

test('the built-in agent creates a suite with a URL that opens it, and no run', async () => {
  const runs = await countOf('eval_runs');
  const { status, body, text } = await turn([
    chatMessage('create a suite called "smoke" for server "Sample bookshop"'),
  ]);
  expect(status, text).toBe(200);
  expect(body.toolCalls.map(({ operation }: { operation: string }) => operation)).toEqual([
    'listProjectServers',
    'listTools',
    'listEvalSuites',
    'createEvalSuite',
  ]);
  const [made] = body.createdResources;
  expect(body.createdResources).toEqual([
    {
      type: 'eval_suite',
      id: made.id,
      name: 'smoke',
      url: `${service.baseUrl}/projects/${tenant.projectId}/suites/${made.id}`,
    },
  ]);
  expect(body.proposedActions).toEqual([]);
  expect(body.usage.outputTokens).toBeGreaterThan(0);
  expect(body.model).toBe('proofmark/lexical-agent-1');
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${made.id}/cases`;
  const read = await call(url.replace(/\/cases$/, ''), { key: tenant.key });
  expect(read.body.settings.allowWrites).toEqual([]);
  const { items } = (await call(url, { key: tenant.key })).body;
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['find_book']);
  expect(await countOf('eval_runs')).toBe(runs);
  expect(await countOf('agent_slots')).toBe(0);
});

test('every read by words is answered with the names of what is there', async () => {
  const at = `${service.baseUrl}/api/v1/projects/${tenant.projectId}`;
  const namesAt = async (path: string, name = 'name'): Promise<string[]> => {
    const { items } = (await call(`${at}/${path}`, { key: tenant.key })).body;
    return items.map((item: Record<string, string>) => item[name]);
  };
  const suiteName = (await call(`${at}/eval-suites/${tenant.suiteId}`, { key: tenant.key })).body
    .name;
  const ofSuite = `eval-suites/${tenant.suiteId}`;
  const reads: readonly (readonly [string, string, readonly string[]])[] = [
    ['list the servers', 'listProjectServers', await namesAt('servers')],
    ['which suites are there?', 'listEvalSuites', await namesAt('eval-suites')],
    ['list the clients', 'listClients', await namesAt('clients')],
    ['show me the environments', 'listEnvironments', await namesAt('environments')],
    ['which models can be run?', 'listModels', ['lexical-1']],
    ['list the tools of "Sample bookshop"', 'listTools', ['find_book', 'order_book']],
    ['list the prompts of "Sample bookshop"', 'listPrompts', ['recommend', 'There are more']],
    ['list the resources of "Sample bookshop"', 'listResources', ['Terms of sale']],
    ['list the resource templates of "Sample bookshop"', 'listResourceTemplates', ['One book']],
    [
      `list the cases of "${suiteName}"`,
      'listEvalCases',
      await namesAt(`${ofSuite}/cases`, 'title'),
    ],
    [
      `list the runs of "${suiteName}"`,
      'listEvalSuiteRuns',
      await namesAt(`${ofSuite}/runs`, 'id'),
    ],
  ];
  for (const [message, operation, names] of reads) {
    const { status, body, text } = await turn([chatMessage(message)]);
    expect([status, body.toolCalls?.at(-1)], text).toEqual([200, { operation }]);
    expect(names.length, message).toBeGreaterThan(0);
    for (const name of names) expect(body.reply, message).toContain(name);
    expect(body.reply, message).not.toMatch(/could not|VALIDATION_ERROR|there are none/);
  }
});

test('why a run failed and what changed since one passed is told in the sentences of a report', async () => {
  const report = async (result: 'passed' | 'failed') => {
    const body = {
      suiteName: 'Deliveries',
      results: [{ caseTitle: 'Ships the order', passed: result === 'passed', query: 'Ship it' }],
    };
    const answer = await project.ask('eval-ingest/report', body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.runId as string;
  };
  const passed = await report('passed');
  const failed = await report('failed');
  const why = await turn([chatMessage('Which run of Deliveries failed last, and why?')]);
  expect(why.body.toolCalls.at(-1), why.text).toEqual({ operation: 'getEvalRunDecisionSummary' });
  expect(why.body.reply).toContain(`The last run of "Deliveries" that failed is ${failed}.`);
  expect(why.body.reply).toMatch(/FAILED: 1 of 1 /);
  expect(why.body.reply).toContain('Ships the order');
  const since = await turn([chatMessage('What changed in Deliveries since it passed?')]);
  expect(since.body.toolCalls.at(-1), since.text).toEqual({ operation: 'compareEvalRun' });
  expect(since.body.reply).toContain(`the last run before it that passed is ${passed}.`);
  expect(since.body.reply).toMatch(/1 case fails now that passed before/);
});

test('history that ends with the assistant is answered, and without a user nothing is called', async () => {
  const later = await turn([
    chatMessage('list the suites'),
    chatMessage('There are some.', 'assistant'),
  ]);
  expect(later.body.toolCalls).toEqual([{ operation: 'listEvalSuites' }]);
  const alone = await turn([chatMessage('Hello?', 'assistant')]);
  expect(alone.status).toBe(200);
  expect(alone.body).toMatchObject({ toolCalls: [], createdResources: [] });
  expect(alone.body.reply).toMatch(/\?$/);
});

test('switched off it says so', async () => {
  const partModels = { insights: 'off', agent: 'off', generation: 'off' };
  const other = await service.another({ partModels });
  const answer = await turn([chatMessage('hello')], {}, other.baseUrl);
  await other.stop();
  expect([answer.status, answer.body.code]).toEqual([422, 'FEATURE_NOT_SUPPORTED']);
});

test('four turns at once over two processes, and a fifth when one has ended', async () => {
  const open: (() => void)[] = [];
  const script: ModelScript = () =>
    new Promise((resolve) => open.push(() => resolve({ text: 'Done.' })));
  const [one, two] = [await withModel(script), await withModel(script)];
  const going = [one, one, two, two].map((process) => process.turn('wait'));
  await vi.waitUntil(() => open.length === 4, { timeout: 20_000 });
  for (const process of [one, two]) {
    const fifth = await process.turn('wait');
    expect([fifth.status, fifth.body.details.reason]).toEqual([429, 'CONCURRENT_AGENT_TURNS']);
    expect(fifth.headers.get('retry-after')).toBeNull();
  }
  for (const end of open.splice(0)) end();
  for (const answer of await Promise.all(going)) expect(answer.status).toBe(200);
  const next = one.turn('again');
  await vi.waitUntil(() => open.length === 1, { timeout: 20_000 });
  open[0]?.();
  expect((await next).status).toBe(200);
  await Promise.all([one.stop(), two.stop()]);
});

test('the slot of a process that died comes back when its lease is over', async () => {
  const { organizationId } = tenant;
  const lease = (seconds: number) => service.owner.sql`
    insert into agent_slots (organization_id, leased_until)
    select ${organizationId}, now() + make_interval(secs => ${seconds}) from generate_series(1, 4)`;
  await lease(60);
  expect((await turn([chatMessage('hello')])).status).toBe(429);
  await service.owner.sql`delete from agent_slots`;
  await lease(-1);
  expect((await turn([chatMessage('hello')])).status).toBe(200);
  expect(await countOf('agent_slots')).toBe(0);
});

test('slots of another epoch of the data are held by nobody', async () => {
  await service.owner.sql`
    insert into agent_slots (organization_id, leased_until, epoch)
    select ${tenant.organizationId}, now() + interval '1 minute', 'another' from generate_series(1, 4)`;
  expect((await turn([chatMessage('hello')])).status).toBe(200);
  expect(await countOf('agent_slots')).toBe(0);
});

test('what was made before a failure stays and is told with it', async () => {
  const failures: readonly (readonly [ScriptedReply | Error, number])[] = [
    [new ModelFailure('PROVIDER_ERROR', 'The provider failed.', 2), 500],
    [new ModelFailure('RATE_LIMITED', 'The provider limits us.', 2), 429],
    [new Error('broken'), 500],
  ];
  for (const [failure, status] of failures) {
    const name = unique('Left');
    const model = await withModel(async (_, count) => {
      if (count === 1) return calls('createEvalSuite', suite(name));
      if (failure instanceof ModelFailure) return failure;
      throw failure;
    });
    const answer = await model.turn('go');
    await model.stop();
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.details.createdResources).toMatchObject([{ type: 'eval_suite', name }]);
    expect(answer.text).not.toContain('broken');
  }
  expect(await countOf('agent_slots')).toBe(0);
});

test('a turn that takes too long is ended, and told what it made', async () => {
  const name = unique('Slow');
  const script: ModelScript = (_, count) =>
    count === 1 ? calls('createEvalSuite', suite(name)) : new Promise(() => undefined);
  const model = await withModel(script, { agentTurnMs: 1500 });
  const answer = await model.turn('go');
  await model.stop();
  expect([answer.status, answer.body.code], answer.text).toEqual([504, 'TIMEOUT']);
  expect(answer.body.details.createdResources).toMatchObject([{ name }]);
});

test('when the caller leaves the turn is ended and its slot is free', async () => {
  let asked = 0;
  const model = await withModel(() => {
    asked += 1;
    return new Promise(() => undefined);
  });
  const leaving = new AbortController();
  const left = fetch(`${model.baseUrl}/api/v1/projects/${tenant.projectId}/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [chatMessage('go')] }),
    signal: leaving.signal,
  });
  await vi.waitUntil(() => asked === 1, { timeout: 20_000 });
  expect(await countOf('agent_slots')).toBe(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  await vi.waitUntil(async () => (await countOf('agent_slots')) === 0, { timeout: 20_000 });
  await model.stop();
});

test('sixteen steps and no more; each is in the ledger', async () => {
  const before = await countOf('ledger');
  const model = await withModel(() => ({ text: 'Looking.', ...calls('listEvalSuites', {}) }));
  const { status, body } = await model.turn('go on for ever');
  await model.stop();
  expect(status).toBe(200);
  expect(body).toMatchObject({ reply: 'Looking.', stopped: 'steps' });
  expect(body.toolCalls).toHaveLength(15);
  expect(model.models.requests).toHaveLength(16);
  expect(body.usage).toEqual({ inputTokens: 16, outputTokens: 16 });
  expect(await countOf('ledger')).toBe(before + 16);
});

test('of the calls of one answer a hundred are made', async () => {
  const toolCalls = Array.from({ length: 102 }, (_, index) => ({
    toolCallId: `${index}`,
    toolName: 'listEvalSuites',
    input: {},
  }));
  const model = await withModel([{ toolCalls }, { text: 'Done.' }]);
  const { status, body, text } = await model.turn('look often');
  await model.stop();
  expect(status, text).toBe(200);
  expect(body.toolCalls).toHaveLength(100);
});

test('calls are clamped to the project, checked, and shown cut', async () => {
  const other = await createTenant(service, unique('other').toLowerCase());
  const model = await withModel([
    calls('listEvalSuites', { projectId: other.projectId }),
    calls('getEvalSuite', { suiteId: other.suiteId }),
    calls('getEvalSuite', {}),
    calls('createEvalSuite', { ...suite('Odd'), unknown: true }),
    calls('getEvalRunDecisionSummary', { runId: tenant.runId }),
    calls('deleteEvalSuite', { suiteId: tenant.suiteId }),
    calls('listTools', { serverId }),
    { text: 'Done.' },
  ]);
  const { status, body, text } = await model.turn('look around');
  await model.stop();
  expect(status, text).toBe(200);
  expect(body.toolCalls.map(({ operation }: { operation: string }) => operation)).toEqual([
    'listEvalSuites',
    'getEvalSuite',
    'getEvalSuite',
    'createEvalSuite',
    'getEvalRunDecisionSummary',
    'listTools',
  ]);
  expect(body.createdResources).toEqual([]);
  const shown = model.models.requests
    .at(-1)
    ?.messages.flatMap((message) =>
      message.role === 'tool'
        ? message.content.map(({ output }) => JSON.stringify(output.value))
        : [],
    );
  expect(shown?.[0]).toContain('Only the project of this conversation');
  expect(shown?.[1]).toContain('NOT_FOUND');
  expect(shown?.[2]).toContain('suiteId is missing');
  expect(shown?.[3]).toContain('unknown');
  expect(shown?.[4]).toContain('verdict');
  expect(shown?.[5]).toContain('This tool does not exist.');
  expect(shown?.[6]).toContain('find_book');
  expect(Math.max(...(shown ?? []).map((one) => JSON.parse(one).data.length))).toBeLessThanOrEqual(
    24_000,
  );
});

test('with a key the same turn twice makes one suite; without one it makes two', async () => {
  const name = unique('Once');
  const script: ModelScript = ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : calls('createEvalSuite', suite(name));
  const model = await withModel(script);
  const key = { idempotencyKey: unique('key') };
  const [first, again] = [await model.turn('go', key), await model.turn('go', key)];
  expect(again.body.createdResources).toEqual(first.body.createdResources);
  const other = await model.turn('go elsewhere', key);
  expect([other.status, other.body.details.reason]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  const third = await model.turn('go');
  await model.stop();
  expect(third.body.createdResources[0].id).not.toBe(first.body.createdResources[0].id);
  const [made] = await service.owner.sql`
    select count(*)::integer as count from eval_suites where name = ${name}`;
  expect(made).toEqual({ count: 2 });
});

test('with a key the first suite of a turn is one, whatever the model tries before or calls it again', async () => {
  const [name, other] = [unique('First'), unique('Other')];
  const erring = await withModel([
    calls('createEvalSuite', { ...suite(name), serverIds: [] }),
    calls('createEvalSuite', suite(name)),
    { text: 'Done.' },
  ]);
  const key = { idempotencyKey: unique('key') };
  const first = await erring.turn('go', key);
  await erring.stop();
  for (const suiteName of [name, other]) {
    const model = await withModel([calls('createEvalSuite', suite(suiteName)), { text: 'Done.' }]);
    const again = await model.turn('go', key);
    await model.stop();
    const [{ url, ...same }] = first.body.createdResources;
    expect(again.body.createdResources).toMatchObject([same]);
  }
  const [made] = await service.owner.sql`
    select count(*)::integer as count from eval_suites where name in (${name}, ${other})`;
  expect(made).toEqual({ count: 1 });
});

test('one turn makes five suites, and reads until it has read enough', async () => {
  const names = Array.from({ length: 6 }, () => unique('Many'));
  const described = toolsOfBookshop.map((tool) => ({ ...tool, description: 'x'.repeat(20_000) }));
  const large = await startFakeMcpServer({ 'tools/list': { tools: described } });
  const input = { serverId: await saveServer('Large', large.url) };
  const model = await withModel([
    ...names.map((name) => calls('createEvalSuite', suite(name))),
    {
      toolCalls: Array.from({ length: 20 }, (_, index) => ({
        toolCallId: `${index}`,
        toolName: 'listTools',
        input,
      })),
    },
    { text: 'Done.' },
  ]);
  const { status, body, text } = await model.turn('make many');
  await model.stop();
  await large.stop();
  expect(status, text).toBe(200);
  expect(body.createdResources.map(({ name }: { name: string }) => name)).toEqual(
    names.slice(0, 5),
  );
  const shown = (model.models.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ output }) => JSON.stringify(output)) : [],
  );
  expect(shown[5]).toContain('At most 5 suites');
  expect(shown.at(-1)).toContain('have reached the limit of text to read');
  expect(shown.join('').length).toBeLessThan(450_000);
});
