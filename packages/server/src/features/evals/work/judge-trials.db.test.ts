import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let serverId: string;
const model = createScriptedModel(({ messages }) => {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof asked === 'string' && asked.startsWith('<material>')) {
    note(asked);
    return { text: '{"score": 0.5, "reason": "Half of it.", "rubricHits": ["copies"]}' };
  }
  if (messages.at(-1)?.role === 'tool') return { text: `There are 5 copies. You said: ${asked}` };
  return { toolCalls: [{ toolCallId: '1', toolName: 'stock', input: {} }] };
}, 'scripted/one');

/**
 * The judge's requests about the two trials for which Proofmark fails once, by trial and question.
 */
const askedOf: string[] = [];
function note(material: string): void {
  const name = /Fails us at the (goal|grounds)/.exec(material)?.[1];
  if (name === undefined) return;
  const about = material.includes('"results"') ? 'grounds' : 'goal';
  const isFirst = !askedOf.includes(`${name}: ${about}`);
  askedOf.push(`${name}: ${about}`);
  if (name === about && isFirst) throw new Error('a mistake of ours');
}

beforeAll(async () => {
  service = await startTestService({ models: model });
  tenant = await createTenant(service, 'judged');
  const server = await startScriptedServer({
    'tools/list': { result: { tools: [{ name: 'stock', inputSchema: { type: 'object' } }] } },
    'tools/call': { result: { content: [{ type: 'text', text: '5 copies' }] } },
  });
  const fields = { name: 'Shop', enabled: true, transportType: 'http', url: server.url };
  serverId = (await api('POST', 'servers', fields)).body.id;
  worker = await startTestWorker(service, model);
});
afterAll(async () => {
  await worker.stop();
  await closeServers();
  await service.stop();
});

function prompts(prompt: string) {
  return [{ id: 'ask', kind: 'prompt', prompt }];
}

async function api(method: string, path: string, body?: unknown) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  return call(url, { method, key: tenant.key, body });
}

async function launch(name: string, tests: object[]): Promise<string> {
  const launched = await api('POST', 'eval-runs', {
    suiteName: name,
    serverIds: [serverId],
    tests: tests.map((test) => ({ model: 'scripted/one', ...test })),
  });
  if (launched.status !== 202) throw new Error(launched.text);
  return launched.body.runId;
}

test('A judge that was asked says its word on the chain and changes no result', async () => {
  const made = await api('POST', 'eval-suites', {
    name: 'Judged',
    serverIds: [serverId],
    model: 'scripted/one',
    settings: { judge: { enabled: true, autoRun: true, model: 'scripted/one' } },
    tests: [
      { title: 'Goal', steps: prompts('How many?'), expectedOutput: 'The number of copies.' },
    ],
  });
  expect(made.status).toBe(201);
  const launched = await api('POST', 'eval-runs', { suiteId: made.body.suiteId });
  const { runId } = launched.body;
  expect(await untilEnded(service, tenant, runId)).toMatchObject({ result: 'passed' });
  await expect
    .poll(async () => (await api('GET', `eval-runs/${runId}`)).body.judges.goalCompletion.status)
    .toBe('completed');
  const { judges, result } = (await api('GET', `eval-runs/${runId}`)).body;
  expect(result).toBe('passed');
  expect(judges.goalCompletion).toMatchObject({ modelUsed: 'scripted/one', threshold: 0.7 });
  expect(judges.goalCompletion.cases).toMatchObject([{ score: 0.5, passed: false }]);
  const { body } = await api('GET', `eval-runs/${runId}/iterations`);
  expect(body.items[0]).toMatchObject({ result: 'passed', firstFailedStage: 'userValue' });
  expect(body.items[0].stageResults[5]).toMatchObject({ state: 'failed', reason: 'judgePartial' });
});

test('A judge that finds nothing to read has not completed anything', async () => {
  const runId = await launch('Traceless', [{ title: 'One', steps: prompts('How many?') }]);
  await untilEnded(service, tenant, runId);
  await service.owner.sql`update eval_traces set trace = null where run_id = ${runId}`;
  const judge = { enable: true, model: 'scripted/one' };
  expect((await api('POST', `eval-runs/${runId}/judge`, judge)).status).toBe(202);
  const readGoalCompletion = async () =>
    (await api('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;
  await expect
    .poll(async () => (await readGoalCompletion()).status, { timeout: 5000 })
    .not.toBe('pending');
  expect(await readGoalCompletion()).toMatchObject({
    status: 'failed',
    errorCode: 'NOTHING_TO_JUDGE',
  });
});

test('A judge reads the trace of every trial once, however many there are', async () => {
  const prompt = 'How many of the marked?';
  const made = await api('POST', 'eval-suites', {
    name: 'Judged at length',
    serverIds: [serverId],
    model: 'scripted/one',
    settings: { judge: { enabled: true, autoRun: true, model: 'scripted/one' } },
    tests: ['One', 'Two', 'Three', 'Four', 'Five'].map((title) => ({
      title,
      runs: 10,
      steps: prompts(prompt),
      expectedOutput: 'The number.',
    })),
  });
  const parsed = vi.spyOn(JSON, 'parse');
  try {
    const { runId } = (await api('POST', 'eval-runs', { suiteId: made.body.suiteId })).body;
    const goal = async () => (await api('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;
    await expect.poll(async () => (await goal()).status, { timeout: 20_000 }).toBe('completed');
    expect((await goal()).cases).toMatchObject(Array(5).fill({ score: 0.5 }));
    const traces = parsed.mock.calls.filter(
      ([text]) => text.includes('"messages":[') && text.includes(prompt),
    );
    expect(traces).toHaveLength(50);
  } finally {
    parsed.mockRestore();
  }
});

test('A judge does without what cannot be read, and tells of which cases it says nothing', async () => {
  const cases = ['Trace', 'Trace shape', 'Details', 'Details shape', 'Calls', 'Calls shape'];
  const tests = cases.map((title) => ({ title, steps: prompts('How many?'), expectedOutput: '5' }));
  const runId = await launch('Unreadable', tests);
  await untilEnded(service, tenant, runId);
  const { sql } = service.owner;
  await sql`update eval_traces set
    trace = case ordinal when 1 then '{"cut' when 2 then '[null]' else trace end,
    details = case ordinal when 3 then '{"cut' when 4 then '{"evidence":{"spans":[null]}}' else details end
    where run_id = ${runId}`;
  await sql`update eval_iterations set actual_tool_calls = case ordinal when 5 then '{"cut' else '{}' end
    where run_id = ${runId} and ordinal > 4`;
  const judge = { enable: true, model: 'scripted/one' };
  expect((await api('POST', `eval-runs/${runId}/judge`, judge)).status).toBe(202);
  const readGoalCompletion = async () =>
    (await api('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;
  await expect
    .poll(async () => (await readGoalCompletion()).status, { timeout: 5000 })
    .toBe('completed');
  const nothing = {
    score: null,
    reason: 'The stored data of this trial cannot be read, so it was not judged.',
  };
  const half = { score: 0.5, passed: false };
  expect((await readGoalCompletion()).cases).toMatchObject([
    nothing,
    nothing,
    nothing,
    nothing,
    half,
    half,
  ]);
  const { items } = (await api('GET', `eval-runs/${runId}/iterations`)).body;
  const reasons = items.map(
    (one: { stageResults: { reason: string }[] }) => one.stageResults[5]?.reason,
  );
  const [failed, kept, partial] = ['evaluatorError', 'judgeNotRequested', 'judgePartial'];
  expect(reasons).toEqual([failed, failed, kept, kept, partial, partial]);
});

test('what was answered about a trial is not asked, and paid, again because we failed beside it', async () => {
  const tests = ['Fails us at the goal', 'Fails us at the grounds'].map((title) => ({
    title,
    steps: prompts(title),
    expectedOutput: 'The number.',
  }));
  const runId = await launch('Failing us', tests);
  await untilEnded(service, tenant, runId);
  const judge = { enable: true, model: 'scripted/one' };
  expect((await api('POST', `eval-runs/${runId}/judge`, judge)).status).toBe(202);
  const readGoalCompletion = async () =>
    (await api('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;
  await expect
    .poll(async () => (await readGoalCompletion()).status, { timeout: 20_000 })
    .toBe('completed');
  expect((await readGoalCompletion()).cases).toMatchObject([{ score: 0.5 }, { score: 0.5 }]);
  expect(askedOf.toSorted()).toEqual([
    ...['goal: goal', 'goal: goal', 'goal: grounds'],
    ...['grounds: goal', 'grounds: grounds', 'grounds: grounds'],
  ]);
}, 30_000);
