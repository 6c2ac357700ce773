import type { RunPlan } from '@proofmark/domain';
import {
  again,
  ask,
  callWeather,
  expectWeather,
  messagesOf,
  pinned,
  type Step,
  spansOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { ModelFailure } from '../outside/model/model-failure.ts';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

test('a trial records messages, spans, turns, steps, usage and the tool surface', async () => {
  const { record } = await play({ steps: [ask] }, [callWeather, sunny]);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'passed',
    error: null,
    evaluatorError: false,
    usage: { inputTokens: 2, outputTokens: 2, totalTokens: 4 },
    tokensUsed: 4,
    actualToolCalls: [{ toolName: 'weather', arguments: { city: 'Rome' } }],
  });
  expect(messagesOf(record).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  expect(spansOf(record)).toMatchObject([
    { id: 'run-connect-srv_1', category: 'connection' },
    { id: 'run-toolslist-srv_1', category: 'discovery' },
    {
      id: 'llm-2',
      category: 'llm',
      parentId: 'step-1',
      modelId: 'scripted/one',
      provider: 'scripted',
      finishReason: 'tool-calls',
      inputTokens: 1,
      messageStartIndex: 1,
      messageEndIndex: 1,
      promptIndex: 0,
    },
    {
      id: 'tool-3',
      category: 'tool',
      status: 'ok',
      toolName: 'weather',
      serverId: 'srv_1',
      toolCallId: 'call-1',
      messageStartIndex: 2,
      messageEndIndex: 2,
    },
    { id: 'llm-4', category: 'llm', finishReason: 'stop', messageStartIndex: 3 },
    {
      id: 'step-1',
      category: 'step',
      authoredStepId: 'ask',
      messageStartIndex: 0,
      messageEndIndex: 3,
    },
  ]);
  for (const { startMs, endMs } of spansOf(record)) expect(endMs).toBeGreaterThan(startMs);
  expect(record.trace['steps']).toEqual([
    { stepId: 'ask', kind: 'prompt', promptIndex: 0, status: 'ok' },
  ]);
  expect(record.trace['prompts']).toMatchObject([{ promptIndex: 0, passed: true }]);
  expect(record.toolSurface?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.parse(record.toolSurface?.text ?? '')).toHaveProperty('srv_1');
  expect(record.trace['toolSurface']).toEqual({ hash: record.toolSurface?.hash });
  expect(record.evidence.spans.map(({ id }) => id)).toEqual(['tool-3']);
});

test('a turn that reaches the bound of answers ends and is graded as it stands', async () => {
  const endless = [callWeather, callWeather, callWeather];
  const { record } = await play({ steps: [ask] }, endless, {
    plan: { limits: { maxModelSteps: 2, trialTimeoutMs: 9000 } },
  });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(record.actualToolCalls).toHaveLength(2);
  expect(record.trace['steps']).toMatchObject([
    { status: 'ok', note: expect.stringContaining('2 answers') },
  ]);
});

test('the first assertion that fails stops the trial, and the steps after it name it', async () => {
  const steps: Step[] = [
    ask,
    { id: 'rain', kind: 'assert', assertion: { type: 'responseContains', needle: 'rain' } },
    again,
    { id: 'more', kind: 'assert', assertion: { type: 'toolCalledAtLeastOnce', toolName: 'clock' } },
  ];
  const { record } = await play({ steps }, [sunny]);
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.trace['steps']).toMatchObject([
    { stepId: 'ask', status: 'ok' },
    { stepId: 'rain', status: 'fail', reason: expect.stringContaining('rain') },
    { stepId: 'again', status: 'skipped', reason: expect.stringContaining('"rain"') },
    { stepId: 'more', status: 'skipped', reason: expect.stringContaining('"rain"') },
  ]);
  expect(record.chain.firstFailedStage).toBe('userValue');
});

test('an assertion sees what was there at its own place, not what came later', async () => {
  const never: Step = {
    id: 'never',
    kind: 'assert',
    assertion: { type: 'toolNeverCalled', toolName: 'weather' },
  };
  const { record } = await play({ steps: [ask, never, again] }, [sunny, callWeather, sunny]);
  expect(record.result).toBe('passed');
});

test('an expected call belongs to its turn: one of an earlier turn does not count', async () => {
  const steps: Step[] = [ask, again, expectWeather('second')];
  const { record } = await play({ steps }, [callWeather, sunny, sunny]);
  expect(record.result).toBe('failed');
  expect(record.chain).toMatchObject({
    firstFailedStage: 'selection',
    failureCategory: 'selection',
  });
  expect(record.trace['steps']).toMatchObject([{}, {}, { status: 'fail' }]);
  expect(record.trace['prompts']).toMatchObject([
    { passed: true },
    { passed: false, missing: [{ toolName: 'weather' }] },
  ]);
});

test('an advisory assertion is reported and fails nothing', async () => {
  const steps: Step[] = [
    ask,
    {
      id: 'hint',
      kind: 'assert',
      assertion: {
        type: 'toolCalledWith',
        toolName: 'clock',
        args: { args: {} },
        role: 'advisory',
      },
    },
    { id: 'drawn', kind: 'assert', assertion: { type: 'widgetRendered', role: 'advisory' } },
  ];
  const { record } = await play({ steps }, [sunny]);
  expect(record).toMatchObject({ status: 'completed', result: 'passed', expectedToolCalls: [] });
  expect(record.trace['steps']).toMatchObject([
    {},
    { status: 'ok', note: expect.stringContaining('is advisory') },
    { status: 'ok' },
  ]);
  expect(record.evidence.assertions).toMatchObject([
    { passed: false, advisory: true },
    { passed: false, advisory: true },
  ]);
});

test('assertions of the whole case are asked at the end; one that cannot be answered hides no failure', async () => {
  const checks = {
    mode: 'replace',
    list: [
      { type: 'tokenBudgetUnder', tokens: 4 },
      { type: 'responseMatches', pattern: 'sun' },
      { type: 'turnCountUnder', turns: 2 },
    ],
  } as const;
  const patterns = {
    test: () => {
      throw new Error('The engine of patterns broke.');
    },
  };
  const definition = { steps: [ask], checks: { ...checks, list: [...checks.list] } };
  const { record } = await play(definition, [callWeather, sunny], { dependencies: { patterns } });
  expect(record).toMatchObject({ status: 'completed', result: 'failed', evaluatorError: false });
  const asked = record.evidence.assertions.map(({ type, passed, unanswered = passed }) => [
    type,
    unanswered,
  ]);
  expect(asked).toEqual([
    ['tokenBudgetUnder', false],
    ['responseMatches', true],
    ['turnCountUnder', true],
  ]);
  expect(record.scores?.map(({ scorerId, status }) => [scorerId, status])).toEqual([
    ['legacy:test', 'scored'],
    ['tool-match', 'scored'],
    ['predicate:tokenBudgetUnder#1', 'scored'],
    ['predicate:responseMatches#2', 'error'],
    ['predicate:turnCountUnder#3', 'scored'],
  ]);
});

test('a grader that breaks outside an assertion is an evaluator error and no verdict', async () => {
  const plan = (planned: RunPlan): RunPlan => ({
    ...planned,
    cases: planned.cases.map((one) => ({ ...one, matchOptions: null as never })),
  });
  for (const steps of [[ask], [ask, expectWeather('call')]]) {
    const { record } = await play({ steps }, [callWeather, sunny], { change: plan });
    expect(record).toMatchObject({
      status: 'completed',
      result: null,
      evaluatorError: true,
      error: expect.stringContaining('could not be graded'),
      chain: { failureCategory: 'evaluator' },
    });
    const [, second = 'pending'] = (record.trace['steps'] as { status: string }[]).map(
      ({ status }) => status,
    );
    expect(second).toBe('pending');
    expect(new Set(record.scores?.map(({ status }) => status))).toEqual(new Set(['error']));
  }
});

test('a failed provider keeps what was said so far and gives no verdict', async () => {
  const { record } = await play({ steps: [ask, again] }, [callWeather, 'fails']);
  expect(record).toMatchObject({
    status: 'failed',
    result: null,
    error: 'The provider answered with HTTP 500.',
    scores: null,
    usage: { totalTokens: 2 },
    evidence: { providerError: true },
  });
  expect(messagesOf(record)).toHaveLength(3);
  expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
});

test('an aborted trial throws the reason it was aborted with', async () => {
  const controller = new AbortController();
  const reason = new Error('The run was cancelled.');
  const played = play({ steps: [ask] }, ['hangs'], { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 100);
  await expect(played).rejects.toBe(reason);
});

test('our own failure is thrown, not recorded', async () => {
  await expect(play({ steps: [ask] }, [])).rejects.toThrow('no line 0');
});

test('a trial that takes too long is timed out, with its sentence and its steps', async () => {
  const { record } = await play({ steps: [ask, again] }, [callWeather, 'hangs'], {
    plan: { limits: { maxModelSteps: 5, trialTimeoutMs: 2000 } },
  });
  expect(record).toMatchObject({ status: 'timed_out', result: null });
  expect(record.error).toBe('The trial took longer than 2 seconds and was stopped.');
  expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
  expect(messagesOf(record)).toHaveLength(3);
});

test('what the case says of system, temperature and tool choice wins over the client', async () => {
  const client = { systemPrompt: 'Of the client.', temperature: 0.2 };
  const own = { system: 'Of the case.', temperature: 0.9, toolChoice: 'required' } as const;
  const first = await play({ steps: [ask] }, [callWeather, sunny], { plan: { client } });
  expect(first.models.requests[0]).toMatchObject({ system: 'Of the client.', temperature: 0.2 });
  expect(first.models.requests[0]).not.toHaveProperty('toolChoice');
  const second = await play({ steps: [ask], advancedConfig: own }, [callWeather, sunny], {
    plan: { client },
  });
  expect(second.models.requests).toMatchObject([
    { system: 'Of the case.', temperature: 0.9, toolChoice: 'required' },
    { toolChoice: 'auto' },
  ]);
});

test('a secret that a server puts into its error does not reach the record of the failure', async () => {
  const leaking = {
    'tools/call': { content: [{ type: 'text', text: 'password=hunter2 is wrong' }], isError: true },
  };
  const checks = { mode: 'replace' as const, list: [{ type: 'noToolErrors' as const }] };
  const { record } = await play({ steps: [ask], checks }, [callWeather, sunny], {
    answers: leaking,
  });
  expect(record.error).toContain('[redacted]');
  expect(JSON.stringify([record.error, record.chain, record.evidence])).not.toContain('hunter2');
});

test('a trace stays within its bound, and says what was cut', async () => {
  const text = 'x'.repeat(1_500_000);
  const long = { 'tools/call': { content: [{ type: 'text', text }] } };
  const calls = [callWeather, callWeather, callWeather, callWeather, sunny];
  const { record, models } = await play({ steps: [ask] }, calls, { answers: long });
  expect(JSON.stringify(record.trace).length).toBeLessThan(4.3 * 1024 * 1024);
  expect(JSON.stringify(messagesOf(record)[6])).toContain('1498000 characters were cut');
  expect(JSON.stringify(models.requests[4]?.messages).length).toBeGreaterThan(5_900_000);
  expect(messagesOf(record).at(-1)).toMatchObject({ content: [{ text: 'It is sunny.' }] });
});

test('long prompts do not make a trace larger than its bound', async () => {
  const prompt = 'p'.repeat(1_000_000);
  const steps = [1, 2, 3, 4, 5].map((index): Step => ({ id: `s${index}`, kind: 'prompt', prompt }));
  const { record } = await play(
    { steps },
    steps.map(() => sunny),
  );
  expect(record.result).toBe('passed');
  expect(JSON.stringify(record.trace).length).toBeLessThan(4.3 * 1024 * 1024);
});

test('a model that cannot be had any more is a failed provider, and no model is needed without a prompt', async () => {
  const modelOf = () => {
    throw new ModelFailure(
      'REQUEST_REFUSED',
      'This model is no longer offered in this installation.',
      0,
    );
  };
  const { record } = await play({ steps: [ask] }, [], { dependencies: { modelOf } });
  expect(record).toMatchObject({
    status: 'failed',
    result: null,
    error: 'This model is no longer offered in this installation.',
    evidence: { providerError: true },
    chain: { failureCategory: 'setup' },
  });
  expect(record.trace['steps']).toMatchObject([{ status: 'skipped' }]);
  const steps = [pinned('one', { serverName: 'Weather' })];
  expect((await play({ steps }, [], { dependencies: { modelOf } })).record.result).toBe('passed');
});

test.each(['', ' \n'])(
  'an empty prompt, %j, is a failed set-up that names its step, and nothing is asked',
  async (prompt) => {
    const steps: Step[] = [ask, { id: 'silence', kind: 'prompt', prompt }];
    const { record, models } = await play({ steps }, [sunny]);
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toContain('The step "silence" has an empty prompt');
    expect(models.requests).toEqual([]);
  },
);

test('an assertion that comes before anything was said finds nothing measured', async () => {
  const early: Step = { id: 'early', kind: 'assert', assertion: { type: 'noToolErrors' } };
  const { record } = await play({ steps: [early, ask] }, [sunny]);
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.trace['steps']).toMatchObject([
    { status: 'fail', promptIndex: 0 },
    { status: 'skipped' },
  ]);
});
