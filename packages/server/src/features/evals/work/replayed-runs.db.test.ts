import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let server: FakeMcpServer;
let serverId: string;
let modelCalls = 0;
let says = 'Sunny.';
let description = 'Tells of the weather.';
beforeAll(async () => {
  const weather = { name: 'weather', arguments: { city: 'Rome' } };
  const one = ({ messages }: { messages: readonly { role: string }[] }) => {
    modelCalls += 1;
    return messages.some(({ role }) => role === 'tool')
      ? { text: 'It is sunny in Rome.' }
      : { toolCalls: [weather] };
  };
  fixture = await startEvalFixture(
    { one, two: one },
    {},
    { one: { inputPerMillion: 100, outputPerMillion: 100 } },
  );
  server = await startFakeMcpServer({
    'tools/list': (response, request) =>
      sendJson(
        response,
        rpcResult(request, {
          tools: [{ name: 'weather', description, inputSchema: { type: 'object' } }],
        }),
      ),
    'tools/call': (response, request) =>
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text: says }] })),
  });
  ({ id: serverId } = await fixture.save(server.url));
});
beforeEach(() => {
  says = 'Sunny.';
  description = 'Tells of the weather.';
});
afterAll(async () => {
  await fixture.stop();
  await server.stop();
});

const policy = { verdictPolicyDefaults: { repetitions: 2, passThreshold: 1 } };
const steps = (needle = 'sunny') => [
  { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' },
  { id: 'says', kind: 'assert', assertion: { type: 'responseContains', needle } },
];

async function recorded(settings: object = policy) {
  const cases = [{ title: unique('weather'), steps: steps() }];
  const suiteId = await fixture.suite({ serverIds: [serverId], settings, cases });
  return { suiteId, first: await fixture.run(suiteId) };
}

function replayed(suiteId: string, runId: string, more: object = {}, body: object = {}) {
  const replay = { runId, model: 'recorded', servers: 'recorded', ...more };
  return fixture.run(suiteId, { replay, ...body });
}

const asked = () => modelCalls + server.requests.length;

describe('a run whose model and servers are recorded', () => {
  test('comes to the same trials and decision, asks nobody and costs nothing', async () => {
    const { suiteId, first } = await recorded();
    const before = asked();
    const again = await replayed(suiteId, first.runId);
    expect(asked()).toBe(before);
    expect(again.trials).toHaveLength(2);
    expect(again.run.result).toBe('passed');
    const outcomesOf = (trials: typeof first.trials) =>
      trials.map(
        ({ result, status, tokensUsed, usage, durationMs, stageResults, actualToolCalls }) => ({
          result,
          status,
          tokensUsed,
          usage,
          durationMs,
          stageResults,
          actualToolCalls,
        }),
      );
    expect(outcomesOf(again.trials)).toEqual(outcomesOf(first.trials));
    expect(again.summary.decision).toEqual(first.summary.decision);
    expect(again.run.replay).toEqual({
      runId: first.runId,
      model: 'recorded',
      servers: 'recorded',
      onDivergence: 'stop',
      trials: 2,
      diverged: 0,
      notRecorded: 0,
      mostFrequent: null,
    });
    expect(again.summary.replay).toEqual(again.run.replay);
    const spent = async (runId: string) => {
      const [row] = await fixture.service.owner.sql<{ credits: number }[]>`
        select coalesce(sum(credits), 0)::float8 as credits from ledger where ref like ${`%${runId}%`}`;
      return row?.credits;
    };
    expect(await spent(first.runId)).toBeGreaterThan(0);
    expect(await spent(again.runId)).toBe(0);
  });

  test('is graded by the assertions of now', async () => {
    const { suiteId, first } = await recorded();
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${items[0].id}`, {
      steps: steps('rainy'),
    });
    const again = await replayed(suiteId, first.runId);
    expect(again.trials.map(({ result }) => result)).toEqual(['failed', 'failed']);
    expect(again.run.replay.diverged).toBe(0);
  });

  test('plays as often as was recorded, less where less is asked for, and says what was not', async () => {
    const { suiteId, first } = await recorded();
    expect(
      (await replayed(suiteId, first.runId, {}, { iterationOverride: 1 })).trials,
    ).toHaveLength(1);
    await fixture.get(201, 'POST', `eval-suites/${suiteId}/cases`, {
      title: 'new',
      steps: steps(),
    });
    const again = await replayed(suiteId, first.runId);
    expect(again.trials.map(({ result, status }) => [result, status])).toEqual([
      ['passed', 'completed'],
      ['passed', 'completed'],
      [null, 'skipped'],
    ]);
    expect(again.run.replay).toMatchObject({ trials: 2, notRecorded: 1 });
    expect(again.run.verdict).toBe('inconclusive');
  });

  test('of a replay names the run that was recorded', async () => {
    const { suiteId, first } = await recorded();
    const once = await replayed(suiteId, first.runId);
    const twice = await replayed(suiteId, once.runId);
    expect(twice.run.replay.runId).toBe(first.runId);
    expect(twice.run.result).toBe('passed');
  });
});

describe('a changed server beside the recorded model', () => {
  test.each([
    [
      'result',
      () => (says = 'Rainy.'),
      { kind: 'result', path: '/content/0/text', before: 'Sunny.', after: 'Rainy.' },
    ],
    [
      'description',
      () => (description = 'Tells of the climate.'),
      { kind: 'listing', path: '/description' },
    ],
  ])('%s is named in trial and run, and is no verdict', async (_, change, expected) => {
    const { suiteId, first } = await recorded();
    change();
    const calls = modelCalls;
    const again = await replayed(suiteId, first.runId, { servers: 'live' });
    expect(modelCalls).toBe(calls);
    const [trial] = again.trials;
    expect(trial).toMatchObject({ status: 'skipped', result: null });
    expect(trial.divergence).toMatchObject({
      side: 'server',
      toolName: 'weather',
      turn: 0,
      ...expected,
    });
    expect(trial.continuedLive).toBeUndefined();
    expect(trial.failureCategory).toBeUndefined();
    expect(trial.stageResults[0]).toMatchObject({
      state: 'notMeasured',
      reason: 'lifecycleStopped',
    });
    expect(again.run.verdict).toBe('inconclusive');
    expect(again.run.replay).toMatchObject({ trials: 2, diverged: 2, notRecorded: 0 });
    expect(again.run.replay.mostFrequent).toMatchObject({ ...expected, trials: 2 });
  });

  test('goes on with the model for real where that is asked for, and is graded', async () => {
    const { suiteId, first } = await recorded();
    says = 'Rainy.';
    const again = await replayed(suiteId, first.runId, { servers: 'live', onDivergence: 'live' });
    expect(again.trials[0]).toMatchObject({ result: 'passed', continuedLive: true });
    expect(again.run.result).toBe('passed');
  });

  test('may differ by what the suite says', async () => {
    const { suiteId, first } = await recorded({ ...policy, replayIgnore: ['/content/*/text'] });
    says = 'Rainy.';
    const again = await replayed(suiteId, first.runId, { servers: 'live' });
    expect(again.run.replay.diverged).toBe(0);
    expect(again.run.result).toBe('passed');
  });
});

test('another model is played against the recorded servers', async () => {
  const { suiteId, first } = await recorded();
  const calls = server.requests.length;
  const again = await replayed(suiteId, first.runId, { model: 'live' }, { model: 'local/two' });
  expect(server.requests).toHaveLength(calls);
  expect(again.trials.map(({ model, result }) => [model, result])).toEqual([
    ['local/two', 'passed'],
    ['local/two', 'passed'],
  ]);
});

test('before a replay it is told what it costs, by its sides and the model it names', async () => {
  const { suiteId, first } = await recorded();
  const estimate = (query: string, status = 200) =>
    fixture.get(status, 'GET', `eval-suites/${suiteId}/run-estimate?${query}`);
  const replay = `replayRunId=${first.runId}`;
  expect(await estimate(replay)).toEqual({
    trials: 2,
    models: [],
    judges: [],
    servers: [],
    modelAsked: 'never',
    credits: 0,
    creditsLeft: null,
  });
  const plain = await estimate('');
  expect(plain.models).toMatchObject([{ model: 'local/one', trials: 2, cost: 'priced' }]);
  const live = await estimate(`${replay}&replayModel=live`);
  expect(live).toEqual({ ...plain, servers: [], modelAsked: 'always' });
  expect(live.credits).toBeGreaterThan(0);
  expect(await estimate(`${replay}&onDivergence=live`)).toEqual({
    ...plain,
    modelAsked: 'ifDiverged',
  });
  expect(await estimate(`${replay}&replayModel=live&model=local/two`)).toMatchObject({
    models: [{ model: 'local/two', trials: 2, cost: 'unpriced' }],
    credits: null,
  });
  expect((await estimate('model=proofmark/lexical-1')).models).toMatchObject([
    { model: 'proofmark/lexical-1', trials: 2, cost: 'free', creditsPerTrial: 0 },
  ]);
  expect((await estimate(`${replay}&iterationOverride=1`)).trials).toBe(1);
  await estimate(`${replay}&replayModel=live&replayServers=live`, 400);
  await estimate('replayRunId=run_0000000000000000000000000', 404);
});

describe('a replay', () => {
  test('is no base, no latest run and no trend of its suite', async () => {
    const { suiteId, first } = await recorded();
    await replayed(suiteId, first.runId);
    const third = await fixture.run(suiteId);
    const compared = await fixture.get(200, 'GET', `eval-runs/${third.runId}/compare`);
    expect(compared.base?.id ?? compared.baseRunId ?? JSON.stringify(compared)).toContain(
      first.runId,
    );
    await replayed(suiteId, first.runId);
    const { items } = await fixture.get(200, 'GET', 'eval-suites?limit=100');
    const suite = items.find(({ id }: { id: string }) => id === suiteId);
    expect(suite.latestRun.id).toBe(third.runId);
    expect(suite.passRateTrend).toHaveLength(2);
  });

  test.each<[string, object, number, object]>([
    ['of nothing recorded', { runId: undefined, model: 'live', servers: 'live' }, 400, {}],
    ['of an unknown run', { runId: 'erun_0000000000000000000000000' }, 404, {}],
  ])('%s is refused', async (_, more, status) => {
    const { suiteId, first } = await recorded();
    const replay = { runId: first.runId, model: 'recorded', servers: 'recorded', ...more };
    await fixture.get(status, 'POST', 'eval-runs', { suiteId, replay });
  });

  test('of a run of another suite is refused, and of one that was not recorded', async () => {
    const { first } = await recorded();
    const other = await recorded({ ...policy, recordings: 'off' });
    const sides = { model: 'recorded', servers: 'recorded' };
    const body = (runId: string) => ({ suiteId: other.suiteId, replay: { runId, ...sides } });
    await fixture.get(400, 'POST', 'eval-runs', body(first.runId));
    const refused = await fixture.get(409, 'POST', 'eval-runs', body(other.first.runId));
    expect(refused.details).toEqual({ reason: 'NOT_RECORDED' });
  });
});
