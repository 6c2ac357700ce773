import type { EvalCaseDefinition } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersOf,
} from '@proofmark/harness/engine-trial.ts';
import { expect, test } from 'vitest';
import type { ModelToolCall } from '../outside/model/model-gateway.ts';
import { createScriptedModel, type ScriptedModel } from '../outside/model/scripted-model.ts';
import type { TrialServers } from './run-servers.ts';

type FakeTrialServers = Pick<TrialServers, 'open' | 'callTool'>;

type Step = EvalCaseDefinition['steps'][number];

const servers = [{ id: 'srv_1', name: 'Weather' }];
const ask: Step = { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' };
const pin: Step = {
  id: 'pin',
  kind: 'toolCall',
  toolName: 'weather',
  serverName: 'Weather',
  arguments: {},
};
const check = (assertion: object): Step => ({ id: 'check', kind: 'assert', assertion }) as Step;
const calledWith = (toolName: string, args: object, argumentMatching = 'partial') =>
  check({ type: 'toolCalledWith', toolName, args: { args, argumentMatching } });
const call = (toolName: string, input = {}, more: Partial<ModelToolCall> = {}): ModelToolCall => ({
  toolCallId: 'call',
  toolName,
  input,
  ...more,
});

function trialServersOf(text: () => string): FakeTrialServers & { calls: number } {
  const trialServers = {
    calls: 0,
    open: async () => ({
      servers: servers.map((server) => ({
        ...server,
        tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
        connectMs: 1,
        listMs: 1,
      })),
      connect: { ok: true } as const,
      toolsList: { ok: true } as const,
      surface: { hash: 'hash', text: '{}' },
    }),
    callTool: async () => {
      trialServers.calls += 1;
      return { result: { content: [{ type: 'text', text: text() }] }, durationMs: 1 };
    },
  };
  return trialServers;
}

async function play(
  definition: Omit<EvalCaseDefinition, 'title'>,
  model: ScriptedModel,
  text = () => 'sunny',
) {
  const trialServers = trialServersOf(text);
  const record = await firstTrial(
    dependenciesFor(runServersOf(trialServers), model),
    planFor(definition, servers),
  );
  const trace = record.trace as {
    // biome-ignore lint/suspicious/noExplicitAny: a trace holds whatever was said.
    messages: any[];
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    prompts: any[];
    steps: { note?: string }[];
  };
  return { record, trace, calls: trialServers.calls };
}

const script = (...calls: ModelToolCall[]) =>
  createScriptedModel([{ toolCalls: calls }, { text: 'sunny' }]);

test.each<[string, Step, string]>([
  ['an expected call', calledWith('gone', {}), 'missingToolCall'],
  ['that it was called', check({ type: 'toolCalledAtLeastOnce', toolName: 'gone' }), 'missing'],
  ['that it came first', check({ type: 'firstToolWas', toolName: 'gone' }), 'unexpected'],
  ['that it never was', check({ type: 'toolNeverCalled', toolName: 'gone' }), 'unexpected'],
])('a call of a tool that was never offered does not satisfy %s', async (_, step, reason) => {
  const { record, calls } = await play({ steps: [ask, step] }, script(call('gone')));
  expect(calls).toBe(0);
  expect(record.result).toBe('failed');
  expect(record.chain.firstFailedStage).toBe('selection');
  expect(record.chain.stageResults[2]?.reason).toContain(reason);
  expect(record.actualToolCalls).toMatchObject([{ toolName: 'gone', notMade: 'notOffered' }]);
});

test('arguments that are no JSON object reach no server and are wrong arguments of an expected call', async () => {
  const bad = call('weather', {}, { invalidInput: '{"city": Rom' });
  for (const matching of ['partial', 'exact', 'ignore']) {
    const steps = [ask, calledWith('weather', {}, matching)];
    const { record, trace, calls } = await play({ steps }, script(bad));
    expect(calls).toBe(0);
    expect(record.result).toBe('failed');
    expect(record.chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'arguments' });
    expect(JSON.stringify(trace.messages)).toContain('Rom');
    expect(trace.messages[2].content[0].output.type).toBe('error-text');
  }
});

test('where the tool had to be called at least once, they are wrong arguments too', async () => {
  const bad = call('weather', {}, { invalidInput: '{"city": Rom' });
  const wants: Step = {
    id: 'wants',
    kind: 'assert',
    assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
  };
  const { record } = await play({ steps: [ask, wants] }, script(bad));
  expect(record.chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'arguments' });
  expect(record.chain.stageResults.find(({ stage }) => stage === 'call')?.evidence).toMatchObject({
    predicateReasons: [
      expect.stringContaining('never called: the model requested it with arguments'),
    ],
  });
  const never = await play({ steps: [ask, wants] }, script());
  expect(never.record.chain).toMatchObject({ firstFailedStage: 'selection' });
});

test('where they were not expected, they are one more call, which no server is blamed for', async () => {
  const bad = call('weather', {}, { invalidInput: 'Rome' });
  const { record } = await play({ steps: [ask], matchOptions: { extraToolCalls: 0 } }, script(bad));
  expect(record.chain).toMatchObject({
    firstFailedStage: 'selection',
    failureCategory: 'selection',
  });
  expect((await play({ steps: [ask] }, script(bad))).record.result).toBe('passed');
});

test('an expected call that ignores arguments is met also where the case minds them exactly', async () => {
  const steps = [ask, calledWith('weather', {}, 'ignore')];
  const options = { steps, matchOptions: { arguments: 'exact' as const } };
  const { record } = await play(options, script(call('weather', { city: 'Oslo' })));
  expect(record.result).toBe('passed');
});

test('a turn makes at most 100 calls, and the step says that others were left out', async () => {
  const many = Array.from({ length: 5_000 }, () => call('weather', { text: 'x'.repeat(20_000) }));
  const { record, trace, calls } = await play({ steps: [ask] }, script(...many));
  expect(calls).toBe(100);
  expect(trace.steps[0]?.note).toContain('more than 100 calls');
  expect(record.actualToolCalls).toHaveLength(200);
  expect(record.actualToolCalls.at(-1)).toMatchObject({ toolName: 'weather', notMade: 'tooMany' });
  expect(JSON.stringify(record.actualToolCalls).length).toBeLessThan(2 ** 20);
  expect(JSON.stringify(trace.prompts).length).toBeLessThan(2 ** 20);
});

test('the summaries of turns stay summaries in a trial whose messages fill the trace', async () => {
  const model = createScriptedModel(({ messages }) =>
    messages.length < 4 ? { toolCalls: [call('weather', { city: 'Rome' })] } : { text: 'sunny' },
  );
  const expected = calledWith('weather', { city: 'Rome' });
  let results = 0;
  const full = await play({ steps: [ask, expected] }, model, () => {
    results += 1;
    return 'x'.repeat(results === 1 ? 4 * 2 ** 20 - 900 : 3_000);
  });
  expect(full.trace.prompts).toMatchObject([
    { promptIndex: 0, passed: true, expectedToolCalls: [{ toolName: 'weather' }] },
  ]);
  const steps = [{ ...ask, prompt: 'w'.repeat(90_000) } as Step, calledWith('weather', {})];
  const deep = script(call('weather', { text: 'x'.repeat(2 ** 21) }));
  const long = await play({ steps }, deep);
  expect(long.trace.prompts[0].actualToolCalls[0].arguments.text).toContain('characters were cut');
  expect(long.trace.prompts[0].prompt.length).toBeLessThan(3_000);
});

test('a conversation that is too long for a model loses its oldest results, and the step says so', async () => {
  const asked: number[] = [];
  const model = createScriptedModel(({ messages }) => {
    asked.push(JSON.stringify(messages).length);
    return asked.length < 4 ? { toolCalls: [call('weather')] } : { text: 'sunny' };
  });
  const { trace } = await play({ steps: [ask] }, model, () => 'x'.repeat(3 * 2 ** 20));
  expect(asked).toHaveLength(4);
  expect(Math.max(...asked)).toBeLessThanOrEqual(8 * 2 ** 20);
  expect(asked[3]).toBeGreaterThan(6 * 2 ** 20);
  expect(trace.steps[0]?.note).toContain('Older results of tools were cut');
});

test('after a call of the case itself there is no final text', async () => {
  const says = check({ type: 'responseContains', needle: 'sunny' });
  const model = () => createScriptedModel([{ text: 'sunny' }]);
  expect((await play({ steps: [ask, says] }, model())).record.result).toBe('passed');
  expect((await play({ steps: [ask, pin, says] }, model())).record.result).toBe('failed');
});
