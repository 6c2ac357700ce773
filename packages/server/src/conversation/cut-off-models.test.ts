import type { EvalCaseDefinition } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  ask,
  called,
  callWeather,
  expectWeather,
  messagesOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { type FinishReason, finishReasons } from '../outside/model/model-gateway.ts';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';

const player = trialPlayer();
afterAll(() => player.close());

const good: readonly FinishReason[] = ['stop', 'tool-calls'];
const cut = finishReasons.filter((reason) => !good.includes(reason));
const negative = { steps: [ask], isNegative: true };
const wholeCall = { toolCallId: 'one', toolName: 'weather', input: { city: 'Rome' } };
const cutCall = { toolCallId: 'one', toolName: 'weather', input: {}, invalidInput: '{"city":"Ro' };

async function play(
  definition: Omit<EvalCaseDefinition, 'title'>,
  replies: readonly ScriptedReply[],
) {
  const server = await player.start();
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const models = createScriptedModel(replies);
  const dependencies = dependenciesFor(runServersFor(player.mcp, servers), models);
  const record = await firstTrial(dependencies, planFor(definition, servers));
  return { record, calls: called(server), requests: models.requests };
}

const rows = cut.flatMap(
  (finishReason) =>
    [
      [finishReason, 'some text, in a negative case', negative, { text: 'It is' }],
      [finishReason, 'nothing, in a negative case', negative, {}],
      [finishReason, 'nothing', { steps: [ask, expectWeather('expected')] }, {}],
      [finishReason, 'a call that was cut', { steps: [ask] }, { toolCalls: [cutCall] }],
      [finishReason, 'a whole call', { steps: [ask] }, { toolCalls: [wholeCall] }],
    ] as const,
);

test.each(rows)(
  'an answer that ended with %s after %s is a failure of the provider',
  async (...row) => {
    const [finishReason, , definition, reply] = row;
    const { record, calls, requests } = await play(definition as EvalCaseDefinition, [
      { ...reply, finishReason } as ScriptedReply,
    ]);
    expect(record).toMatchObject({ status: 'failed', result: null });
    expect(record.error).toContain('did not finish its answer');
    expect(record.chain).toMatchObject({ failureCategory: 'setup' });
    expect(record.chain.firstFailedStage).toBeUndefined();
    for (const stage of record.chain.stageResults.slice(2)) expect(stage.state).not.toBe('passed');
    // The truncated answer causes no call, and the model is not asked to continue it.
    expect(calls).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(record.usage).toMatchObject({ totalTokens: 2 });
    const spans = record.trace['spans'] as { category: string }[];
    expect(spans.find(({ category }) => category === 'llm')).toMatchObject({
      status: 'error',
      finishReason,
    });
  },
);

test('what the model said before it was cut off stays in the trace', async () => {
  const { record } = await play(negative, [{ text: 'It is', finishReason: 'length' }]);
  expect(messagesOf(record)).toEqual([
    { role: 'user', content: ask.prompt },
    { role: 'assistant', content: [{ type: 'text', text: 'It is' }] },
  ]);
});

test.each([
  ['an expected call', { steps: [ask, expectWeather('expected')] }],
  ['a negative case', negative],
])(
  'before any answer nothing is told as passed that a model would have done: %s',
  async (_, definition) => {
    const failure = new ModelFailure('PROVIDER_ERROR', 'The provider answered with HTTP 500.', 3);
    const { record } = await play(definition, [failure]);
    expect(record).toMatchObject({ status: 'failed', result: null });
    expect(record.evidence.turns).toEqual([]);
    const stages = record.chain.stageResults.map(({ stage, state, reason }) => [
      stage,
      state,
      reason,
    ]);
    expect(stages).toContainEqual(['selection', 'notMeasured', 'providerError']);
    expect(stages).toContainEqual(['call', 'notMeasured', 'providerError']);
  },
);

test('what the model did before its provider failed stands', async () => {
  const definition = { steps: [ask, expectWeather('expected', 'Paris')] };
  const failure = new ModelFailure('PROVIDER_ERROR', 'The provider answered with HTTP 500.', 3);
  const { record } = await play(definition, [{ toolCalls: [wholeCall] }, failure]);
  expect(record.status).toBe('failed');
  expect(record.evidence.turns).toHaveLength(1);
});

test('a model that calls tools to the last round is told as stopped by the bound', async () => {
  const contains = { type: 'responseContains', needle: 'sunny' } as const;
  const steps = [ask, { id: 'says', kind: 'assert', assertion: contains }] as const;
  const limits = { maxModelSteps: 2, trialTimeoutMs: 9000 };
  const { record } = await player.play({ steps: [...steps] }, [callWeather, callWeather], {
    plan: { limits },
  });
  const stopText = 'stopped after 2 answers';
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.error).toContain(stopText);
  expect(record.trace['steps']).toMatchObject([
    { status: 'ok', note: expect.stringContaining(stopText) },
    { status: 'fail', reason: expect.stringContaining(stopText) },
  ]);
  const spans = record.trace['spans'] as { name: string; category: string }[];
  expect(spans.filter(({ name }) => name.includes(stopText))).toMatchObject([
    { category: 'error', status: 'error', promptIndex: 0 },
  ]);
  const whole = await player.play(
    { steps: [ask], checks: { mode: 'replace', list: [contains] } },
    [callWeather, callWeather],
    { plan: { limits } },
  );
  expect(whole.record.evidence.assertions).toMatchObject([
    { passed: false, reason: expect.stringContaining(stopText) },
  ]);
});

test('a model that answers in its last round was not stopped', async () => {
  const limits = { maxModelSteps: 2, trialTimeoutMs: 9000 };
  const { record } = await player.play({ steps: [ask] }, [callWeather, sunny], {
    plan: { limits },
  });
  expect(JSON.stringify(record.trace)).not.toContain('stopped after');
});

test('a call that hangs past the time of the trial has its span, and so has an answer that never came', async () => {
  // Long enough to open the server on a busy machine. Both trials reach this limit, because the
  // call or the model never answers.
  const limits = { maxModelSteps: 2, trialTimeoutMs: 3000 };
  const never = () => undefined;
  const [hanging, silent] = await Promise.all([
    player.play({ steps: [ask] }, [callWeather], {
      plan: { limits },
      answers: { 'tools/call': never },
    }),
    player.play({ steps: [ask] }, ['hangs'], { plan: { limits }, serverId: 'srv_2' }),
  ]);
  expect(hanging.record.status).toBe('timed_out');
  expect(hanging.record.trace['spans']).toContainEqual(
    expect.objectContaining({
      category: 'tool',
      status: 'error',
      toolName: 'weather',
      serverId: 'srv_1',
    }),
  );
  expect(silent.record.trace['spans']).toContainEqual(
    expect.objectContaining({ category: 'llm', status: 'error' }),
  );
});
