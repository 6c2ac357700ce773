import { setTimeout as after } from 'node:timers/promises';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, signInAs } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listGradedBefore } from '../store/graded-trials.ts';

const toolNames = ['clock', 'weather'];
let fixture: EvalFixture;
let server: FakeMcpServer;
let saved: { readonly id: string; readonly name: string };
let listed = toolNames;
let description = 'Tells.';
let waitMs = 0;
let modelCalls = 0;
beforeAll(async () => {
  fixture = await startEvalFixture({
    one: ({ messages }) => {
      modelCalls += 1;
      const city = JSON.stringify(messages).includes('Oslo') ? 'Oslo' : 'Rome';
      return messages.some(({ role }) => role === 'tool')
        ? { text: `It is sunny in ${city}.` }
        : { toolCalls: [{ name: 'weather', arguments: { city } }] };
    },
  });
  server = await startFakeMcpServer({
    'tools/list': (response, request) => {
      const tools = listed.map((name) => ({
        name,
        description,
        inputSchema: { type: 'object' },
      }));
      sendJson(response, rpcResult(request, { tools }));
    },
    'tools/call': async (response, request) => {
      await after(waitMs);
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text: 'Sunny.' }] }));
    },
  });
  saved = await fixture.save(server.url);
});
beforeEach(() => {
  listed = toolNames;
  description = 'Tells.';
  waitMs = 0;
});
afterAll(async () => {
  await fixture.stop();
  await server.stop();
});

const says = (needle: string) => ({
  id: 'says',
  kind: 'assert',
  assertion: { type: 'responseContains', needle },
});
const asks = (prompt = 'What is the weather?') => ({ id: 'ask', kind: 'prompt', prompt });

async function recorded(steps: readonly object[] = [asks(), says('sunny')], settings = {}) {
  const cases = [{ title: unique('weather'), steps }];
  const suiteId = await fixture.suite({ serverIds: [saved.id], settings, cases });
  return { suiteId, first: await fixture.run(suiteId) };
}

async function edit(suiteId: string, ...steps: readonly object[]): Promise<void> {
  const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
  await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${items[0].id}`, { steps });
}

function replayed(suiteId: string, runId: string, more: object = {}, body: object = {}) {
  const replay = { runId, model: 'recorded', servers: 'recorded', ...more };
  return fixture.run(suiteId, { replay, ...body });
}

test('a missing tool is named, and nothing else', async () => {
  const { suiteId, first } = await recorded();
  listed = ['weather'];
  const { run, trials } = await replayed(suiteId, first.runId, { servers: 'live' });
  expect(trials[0].divergence).toMatchObject({
    side: 'server',
    kind: 'listing',
    serverName: saved.name,
    toolName: 'clock',
    path: '',
    message: `The server "${saved.name}" no longer lists the tool "clock".`,
  });
  expect(run.replay).toMatchObject({ trials: 1, diverged: 1, notRecorded: 0 });
});

test('a changed assertion is graded anew, and compare names it and the replay', async () => {
  const { suiteId, first } = await recorded();
  await edit(suiteId, asks(), says('rainy'));
  const again = await replayed(suiteId, first.runId);
  expect(again.trials[0]).toMatchObject({ status: 'completed', result: 'failed' });
  const path = `eval-runs/${again.runId}/compare?baseRunId=${first.runId}`;
  const compared = await fixture.get(200, 'GET', path);
  expect(compared.cases).toEqual([
    expect.objectContaining({ status: 'regressed', configChanged: true }),
  ]);
  expect(compared.compareRun.replay).toEqual(again.run.replay);
  expect(compared.baseRun.replay).toBeUndefined();
});

describe('with both sides recorded, what diverges goes on live where that is asked for', () => {
  test('the model for a request, while calls are still answered from the recording', async () => {
    const { suiteId, first } = await recorded();
    await edit(suiteId, asks('What is the weather now?'), says('sunny'));
    const before = [modelCalls, server.requests.length];
    const { trials } = await replayed(suiteId, first.runId, { onDivergence: 'live' });
    expect(trials[0]).toMatchObject({ result: 'passed', continuedLive: true });
    expect(trials[0].divergence).toMatchObject({ side: 'model', kind: 'request' });
    expect([modelCalls, server.requests.length]).toEqual([(before[0] ?? 0) + 2, before[1]]);
  });

  test('and the server for a call', async () => {
    const { suiteId, first } = await recorded();
    await edit(suiteId, asks('What is the weather in Oslo?'), says('Oslo'));
    const before = server.requests.length;
    const { trials } = await replayed(suiteId, first.runId, { onDivergence: 'live' });
    expect(trials[0]).toMatchObject({ result: 'passed', continuedLive: true });
    expect(server.requests.length).toBeGreaterThan(before);
  });
});

test('how long a call took is what was recorded', async () => {
  const checks = { type: 'toolLatencyUnder', toolName: 'weather', ms: 100 };
  const steps = [asks(), { id: 'fast', kind: 'assert', assertion: checks }];
  waitMs = 1000;
  const { suiteId, first } = await recorded(steps);
  expect(first.trials[0].result).toBe('failed');
  waitMs = 0;
  const again = await replayed(suiteId, first.runId);
  expect(again.trials[0]).toMatchObject({ result: 'failed', error: first.trials[0].error });
});

test('a case that prompts no model does not depend on what servers list', async () => {
  const call = { id: 'call', kind: 'toolCall', serverName: saved.name, toolName: 'weather' };
  const { suiteId, first } = await recorded([{ ...call, arguments: { city: 'Rome' } }]);
  expect(first.trials[0].result).toBe('passed');
  description = 'Tells more.';
  const { run } = await replayed(suiteId, first.runId, { servers: 'live' });
  expect(run).toMatchObject({ result: 'passed', replay: { trials: 1, diverged: 0 } });
});

describe('an overlay', () => {
  const tools = [{ name: 'weather', description: 'Tells of the weather in a city.' }];
  const overlay = () => ({ servers: [{ serverName: saved.name, tools }] });

  test('is tried on a live model against the recorded servers', async () => {
    const { suiteId, first } = await recorded();
    const body = { overlay: overlay() };
    const { run, trials } = await replayed(suiteId, first.runId, { model: 'live' }, body);
    expect(run).toMatchObject({ result: 'passed', replay: { diverged: 0 } });
    expect(trials[0].overlayHash).toEqual(expect.any(String));
  });

  test('is what a recorded model was not asked with', async () => {
    const { suiteId, first } = await recorded();
    const { trials } = await replayed(suiteId, first.runId, {}, { overlay: overlay() });
    expect(trials[0].divergence).toMatchObject({ side: 'model', kind: 'request' });
    expect(trials[0].divergence.path).toMatch(/^\/tools\/\d\/description$/);
  });
});

test('a run that was reported is not replayed', async () => {
  const results = [{ caseTitle: 'a', passed: true, caseId: 'a' }];
  const body = { suiteName: unique('Reported'), results };
  const { runId, suiteId } = await fixture.get(200, 'POST', 'eval-ingest/report', body);
  const replay = { runId, model: 'recorded', servers: 'recorded' };
  const request = { suiteId, replay, serverIds: [saved.id] };
  const refused = await fixture.get(409, 'POST', 'eval-runs', request);
  expect(refused.details).toEqual({ reason: 'NOT_RECORDED' });
});

test('the environment and the client of the run are played again', async () => {
  const { suiteId } = await recorded();
  const namedHostId = await fixture.client({
    modelId: 'local/one',
    systemPrompt: unique('Be short.'),
  });
  const first = await fixture.run(suiteId, { namedHostId });
  const { run } = await replayed(suiteId, first.runId);
  expect(run.replay).toMatchObject({ trials: 1, diverged: 0 });
  expect(run.result).toBe(first.run.result);
});

test('history, flakiness and home say nothing of a replay', async () => {
  const { suiteId, first } = await recorded();
  await edit(suiteId, asks(), says('rainy'));
  const again = await replayed(suiteId, first.runId);
  expect(again.run.result).toBe('failed');
  const { service, tenant } = fixture;
  const headers = await signInAs(service, tenant.accountId);
  const read = async (path: string) =>
    (await call(`${service.baseUrl}/console/v1/${path}`, { headers })).body;
  const { runs } = await read(`projects/${tenant.projectId}/eval-suites/${suiteId}/history`);
  expect(runs.map(({ runId }: { runId: string }) => runId)).toEqual([first.runId]);
  expect(JSON.stringify(await read('home'))).not.toContain(again.runId);
  const [{ hash }] = await service.owner.sql<[{ hash: string }]>`
    select hash from run_tool_surfaces where run_id = ${first.runId}`;
  const before = { suiteId, runNumber: again.run.runNumber + 1 };
  const graded = await service.database.tenant([tenant.organizationId], (sql) =>
    listGradedBefore(sql, before, hash, 10),
  );
  expect([...new Set(graded.map(({ runId }) => runId))]).toEqual([first.runId]);
});
