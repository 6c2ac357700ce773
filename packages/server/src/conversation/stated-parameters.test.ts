import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  startOpenAiServer,
  wantingReasoning,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import {
  again,
  ask,
  called,
  expectWeather,
  messagesOf,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';

const player = trialPlayer();
afterAll(() => player.close());

const limited = { advancedConfig: { maxTokens: 12 } };
const contains = { type: 'responseContains', needle: 'sunny' } as const;
const says = { id: 'says', kind: 'assert', assertion: contains } as const;
const note = 'cut at its limit, maxTokens 12';
const calls = [{ toolCallId: 'one', toolName: 'weather', input: { city: 'Rome' } }];

async function play(
  definition: Parameters<typeof planFor>[0],
  models: ModelGateway,
  client: object = {},
) {
  const server = await player.start();
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const dependencies = dependenciesFor(runServersFor(player.mcp, servers), models);
  const record = await firstTrial(dependencies, planFor(definition, servers, { client }));
  return { record, calls: called(server) };
}

const script = (...replies: ScriptedReply[]) => createScriptedModel(replies);

test('the case, then the client says how the model is asked', async () => {
  const models = script({ text: 'It is sunny.' });
  const client = { topP: 0.2, seed: 3, reasoningEffort: 'high' };
  await play({ steps: [ask], advancedConfig: { topP: 0.9, maxTokens: 12 } }, models, client);
  expect(models.requests[0]).toMatchObject({
    topP: 0.9,
    maxOutputTokens: 12,
    seed: 3,
    reasoningEffort: 'high',
  });
});

test('an answer that the stated limit cut is graded as it stands, and says so', async () => {
  const models = script({ text: 'It is', finishReason: 'length' });
  const { record } = await play({ steps: [ask, says], ...limited }, models);
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.error).toContain(note);
  expect(record.trace['steps']).toMatchObject([
    { status: 'ok', note: expect.stringContaining(note) },
    { status: 'fail', reason: expect.stringContaining(note) },
  ]);
  expect(record.trace['spans']).toContainEqual(
    expect.objectContaining({ category: 'llm', finishReason: 'length' }),
  );
  const passed = script({ text: 'It is sunny and', finishReason: 'length' });
  expect((await play({ steps: [ask, says], ...limited }, passed)).record.result).toBe('passed');
});

test('a call that is missing may be the doing of the limit; whole calls of a cut answer are made', async () => {
  const silent = script({ finishReason: 'length' });
  const missing = await play({ steps: [ask, expectWeather('calls')], ...limited }, silent);
  expect(missing.record.result).toBe('failed');
  expect(missing.record.error).toContain(note);
  const models = script({ toolCalls: calls, finishReason: 'length' }, { text: 'It is sunny.' });
  const { record, calls: made } = await play({ steps: [ask, says], ...limited }, models);
  expect(record.result).toBe('passed');
  expect(made).toHaveLength(1);
  // The last answer is complete, so its failure is not attributed to the token limit.
  const whole = script({ toolCalls: calls, finishReason: 'length' }, { text: 'It rains.' });
  const failed = await play({ steps: [ask, says], ...limited }, whole);
  expect(failed.record.trace['steps']).toMatchObject([
    { note: expect.stringContaining(note) },
    { reason: expect.not.stringContaining(note) },
  ]);
});

test('what a model does not take is told with the step', async () => {
  const models = script({ text: 'It is sunny.', ignored: ['seed'] });
  const { record } = await play({ steps: [ask] }, models);
  expect(record.trace['steps']).toMatchObject([
    { status: 'ok', note: 'The model one accepts no seed, so its requests were sent without.' },
  ]);
});

test('what a model thought goes back in the turn and in those that follow, and is nobody’s text', async () => {
  const provider = await startOpenAiServer({
    one: wantingReasoning((_, count) =>
      count % 2 === 1
        ? {
            reasoning: `sunny, I think. password=hunter2 ${'x'.repeat(20_000)}`,
            toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }],
          }
        : { reasoning: 'sunny it is', text: 'It rains.' },
    ),
  });
  const models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [
      {
        name: 'scripted',
        kind: 'openai-compatible',
        baseUrl: provider.baseUrl,
        models: [{ name: 'one' }],
      },
    ],
  });
  const { record, calls: made } = await play({ steps: [ask, again, says] }, models);
  await provider.stop();
  expect(made).toHaveLength(2);
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  const steps = record.trace['steps'] as { status: string }[];
  expect(steps.map(({ status }) => status)).toEqual(['ok', 'ok', 'fail']);
  const thought = messagesOf(record).flatMap((message) =>
    Array.isArray(message['content'])
      ? message['content'].filter(({ type }) => type === 'reasoning')
      : [],
  );
  expect(thought).toHaveLength(4);
  expect(thought[0].text.length).toBeLessThan(11_000);
  expect(thought[0].text).toContain('characters were cut');
  expect(JSON.stringify(record.trace)).not.toContain('hunter2');
});
