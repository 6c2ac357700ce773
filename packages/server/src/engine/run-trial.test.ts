import type { EvalCaseDefinition, RunPlan } from '@proofmark/domain';
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  deskFor,
  firstTrial,
  meansFor,
  modelOfLines,
  planFor,
  type TrialServer,
} from '../../../../tests/harness/engine-trial.ts';
import type { ModelLine } from '../../../../tests/harness/stage-table.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from '../../../../tests/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '../../../../tests/mcp-servers/gateway-for-test.ts';
import type { TrialMeans } from './run-trial.ts';
import type { TrialRecord } from './trial-record.ts';

const mcp = gatewayForTest();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => mcp.close());

const ask = { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' } as const;
const again = { id: 'again', kind: 'prompt', prompt: 'And tomorrow?' } as const;
const callWeather: ModelLine = { calls: [{ tool: 'weather', input: { city: 'Rome' } }] };
const sunny: ModelLine = { text: 'It is sunny.' };
type Step = EvalCaseDefinition['steps'][number];

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
      toolCallId: 'call-0-0',
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

test('several calls of one answer are made in order, and their results stand in one message', async () => {
  const both = {
    calls: [
      { tool: 'clock', input: {} },
      { tool: 'weather', input: {} },
    ],
  };
  const { record, server } = await play({ steps: [ask] }, [both, sunny]);
  expect(called(server)).toEqual(['clock', 'weather']);
  expect(messagesOf(record)[2]?.content).toMatchObject([
    { type: 'tool-result', toolName: 'clock', toolCallId: 'call-0-0' },
    { type: 'tool-result', toolName: 'weather', toolCallId: 'call-0-1' },
  ]);
});

test('a turn that reaches the bound of answers ends and is graded as it stands', async () => {
  const endless = [callWeather, callWeather, callWeather];
  const { record } = await play({ steps: [ask] }, endless, {
    limits: { maxModelSteps: 2, trialTimeoutMs: 9000 },
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
    { status: 'ok', note: expect.stringContaining('advises') },
    { status: 'ok' },
  ]);
  expect(record.evidence.assertions).toMatchObject([
    { passed: false, advisory: true },
    { passed: false, advisory: true },
  ]);
});

test('assertions of the whole case are asked at the end, and one that throws has failed by itself', async () => {
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
  const { record } = await play(definition, [callWeather, sunny], {}, { patterns });
  expect(record).toMatchObject({ status: 'completed', result: 'failed', evaluatorError: false });
  expect(record.evidence.assertions.map(({ type, passed }) => [type, passed])).toEqual([
    ['tokenBudgetUnder', false],
    ['responseMatches', false],
    ['turnCountUnder', true],
  ]);
});

test('a grader that breaks outside an assertion is an evaluator error and no verdict', async () => {
  const plan = (planned: RunPlan): RunPlan => ({
    ...planned,
    cases: planned.cases.map((one) => ({ ...one, matchOptions: null as never })),
  });
  for (const steps of [[ask], [ask, expectWeather('call')]]) {
    const { record } = await play({ steps }, [callWeather, sunny], {}, {}, plan);
    expect(record).toMatchObject({
      status: 'completed',
      result: null,
      evaluatorError: true,
      chain: { failureCategory: 'evaluator' },
    });
  }
});

test('a failed provider keeps what was said so far and gives no verdict', async () => {
  const { record } = await play({ steps: [ask, again] }, [callWeather, 'fails']);
  expect(record).toMatchObject({
    status: 'failed',
    result: null,
    error: 'The provider answered with HTTP 500.',
    usage: { totalTokens: 2 },
    evidence: { providerError: true },
  });
  expect(messagesOf(record)).toHaveLength(3);
  expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
});

test('an aborted trial throws the reason it was aborted with', async () => {
  const controller = new AbortController();
  const reason = new Error('The run was cancelled.');
  const played = play({ steps: [ask] }, ['hangs'], {}, {}, undefined, controller.signal);
  setTimeout(() => controller.abort(reason), 100);
  await expect(played).rejects.toBe(reason);
});

test('our own failure is thrown, not recorded', async () => {
  const { server, desk, plan } = await prepare({ steps: [ask] });
  const broken = meansFor(desk, modelOfLines([]));
  await expect(firstTrial(broken, plan)).rejects.toThrow('no line 0');
  expect(called(server)).toEqual([]);
});

test('a trial that takes too long is timed out, with its sentence and its steps', async () => {
  const { record } = await play({ steps: [ask, again] }, [callWeather, 'hangs'], {
    limits: { maxModelSteps: 5, trialTimeoutMs: 300 },
  });
  expect(record).toMatchObject({ status: 'timed_out', result: null });
  expect(record.error).toBe('The trial took longer than 0.3 seconds and was stopped.');
  expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
  expect(messagesOf(record)).toHaveLength(3);
});

test('what the case says of system, temperature and tool choice wins over the client', async () => {
  const client = { systemPrompt: 'Of the client.', temperature: 0.2 };
  const own = { system: 'Of the case.', temperature: 0.9, toolChoice: 'required' } as const;
  const first = await play({ steps: [ask] }, [callWeather, sunny], { client });
  expect(first.models.requests[0]).toMatchObject({ system: 'Of the client.', temperature: 0.2 });
  expect(first.models.requests[0]).not.toHaveProperty('toolChoice');
  const second = await play({ steps: [ask], advancedConfig: own }, [callWeather, sunny], {
    client,
  });
  expect(second.models.requests).toMatchObject([
    { system: 'Of the case.', temperature: 0.9, toolChoice: 'required' },
    { toolChoice: 'auto' },
  ]);
});

test('tools that two servers share have a name each for the model, and their own in the record', async () => {
  const one = await started();
  const two = await started();
  const servers = [serverAt(one, 'srv_1', 'First one'), serverAt(two, 'srv_2', 'Second')];
  const models = modelOfLines([{ calls: [{ tool: 'Second_weather', input: {} }] }, sunny]);
  const record = await firstTrial(
    meansFor(deskFor(mcp, servers), models),
    planFor(
      {
        steps: [
          ask,
          {
            ...expectWeather('call'),
            assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
          },
        ],
      },
      servers,
    ),
  );
  expect(models.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'First_one_weather',
    'First_one_clock',
    'Second_weather',
    'Second_clock',
  ]);
  expect(record).toMatchObject({ result: 'passed', actualToolCalls: [{ toolName: 'weather' }] });
  expect(called(one)).toEqual([]);
  expect(called(two)).toEqual(['weather']);
  expect(JSON.stringify(record.trace)).not.toContain('Second_weather');
  expect(JSON.stringify(models.requests[1]?.messages)).toContain('Second_weather');
});

test('tools that the client hides are not offered, and calling one is an unexpected call', async () => {
  const hidden = {
    name: 'secret',
    inputSchema: { type: 'object' },
    _meta: { ui: { visibility: ['app'] } },
  };
  const answers = {
    'tools/list': { tools: [{ name: 'weather', inputSchema: { type: 'object' } }, hidden] },
  };
  const lines = [{ calls: [{ tool: 'secret', input: {} }] }, sunny];
  const config = { client: { respectToolVisibility: true } };
  const { record, server, models } = await play(
    { steps: [ask], matchOptions: { extraToolCalls: 0 } },
    lines,
    config,
    {},
    undefined,
    undefined,
    answers,
  );
  expect(models.requests[0]?.tools.map(({ name }) => name)).toEqual(['weather']);
  expect(called(server)).toEqual([]);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'failed',
    actualToolCalls: [{ toolName: 'secret' }],
  });
  expect(record.chain.stageResults[2]).toMatchObject({ reason: 'unexpectedToolCall' });
  expect(messagesOf(record)[2]?.content).toMatchObject([{ output: { type: 'error-text' } }]);
  expect(record.evidence).toMatchObject({ toolErrors: [], spans: [] });
});

test('skills are offered as tools of the host, and calling them spoils no expectation', async () => {
  const skills = [
    { skillId: 'skl_1', skillVersionId: 'skv_1', name: 'forecasts', contentHash: 'x' },
  ];
  const lines: ModelLine[] = [
    { calls: [{ tool: 'listSkills', input: {} }] },
    {
      calls: [
        { tool: 'loadSkill', input: { name: 'forecasts' } },
        { tool: 'loadSkill', input: { name: 'other' } },
      ],
    },
    sunny,
  ];
  const skillTexts = new Map([['skv_1', 'Look at the sky.']]);
  const { record, models } = await play(
    { steps: [ask], isNegative: true },
    lines,
    { skills },
    { skillTexts },
  );
  expect(models.requests[0]?.tools.slice(0, 2).map(({ name }) => name)).toEqual([
    'listSkills',
    'loadSkill',
  ]);
  expect(record.result).toBe('passed');
  expect(messagesOf(record)[2]?.content).toMatchObject([
    { output: { value: { skills: [{ name: 'forecasts' }] } } },
  ]);
  expect(messagesOf(record)[4]?.content).toMatchObject([
    { output: { value: { text: 'Look at the sky.' } } },
    { output: { type: 'error-text' } },
  ]);
  expect(record.evidence.toolErrors).toEqual([]);
});

test('a call that a policy refuses is not made, and its trial has no verdict', async () => {
  const rows = [
    { toolPolicy: { mode: 'default', deny: ['weather'] } },
    { toolPolicy: { mode: 'readOnly' } },
    { client: { requireToolApproval: true } },
  ] as const;
  for (const more of rows) {
    const { record, server } = await play({ steps: [ask] }, [callWeather, sunny], more as never);
    expect(called(server)).toEqual([]);
    expect(record).toMatchObject({
      status: 'failed',
      result: null,
      evidence: { blockedByPolicy: true },
    });
    expect(record.error).toContain('"weather"');
    expect(record.chain).not.toHaveProperty('failureCategory');
  }
  const exempt = { mode: 'readOnly', allow: ['weather'] } as const;
  const { record } = await play({ steps: [ask] }, [callWeather, sunny], {
    toolPolicy: { ...exempt, allow: [...exempt.allow] },
  });
  expect(record.result).toBe('passed');
});

test('a pinned call needs no model, is not matched, and is seen by assertions', async () => {
  const steps: Step[] = [
    pinned('set-up', { serverName: 'Weather' }),
    {
      id: 'seen',
      kind: 'assert',
      assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
    },
  ];
  const { record, models, server } = await play({ steps, matchOptions: { extraToolCalls: 0 } }, []);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'passed',
    usage: null,
    tokensUsed: null,
  });
  expect(models.requests).toEqual([]);
  expect(called(server)).toEqual(['weather']);
  expect(messagesOf(record)).toMatchObject([
    { role: 'assistant', pinned: true },
    { role: 'tool', pinned: true },
  ]);
});

test('a pinned call shows its id before its name, and an unknown server fails the set-up', async () => {
  const good = await play(
    { steps: [pinned('one', { serverName: 'Nobody', serverId: 'srv_1' })] },
    [],
  );
  expect(good.record.result).toBe('passed');
  const bad = await play(
    { steps: [pinned('one', { serverName: 'Weather', serverId: 'srv_9' }), ask] },
    [],
  );
  expect(bad.record).toMatchObject({ status: 'setup_failed', result: null });
  expect(bad.record.error).toContain('"srv_9"');
  expect(bad.record.trace['steps']).toMatchObject([{ status: 'skipped' }, { status: 'skipped' }]);
});

test('a pinned call that fails stops the trial, unless failing tools are no failure', async () => {
  const failing = { 'tools/call': { content: [{ type: 'text', text: 'No.' }], isError: true } };
  const steps: Step[] = [pinned('one', { serverName: 'Weather' }), ask];
  const bad = await play({ steps }, [sunny], {}, {}, undefined, undefined, failing);
  expect(bad.record).toMatchObject({
    status: 'completed',
    result: 'failed',
    error: 'The tool "weather" answered with an error: No.',
  });
  expect(bad.record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
  expect(bad.record.chain.firstFailedStage).toBe('response');
  const good = await play(
    { steps, failOnToolError: false },
    [sunny],
    {},
    {},
    undefined,
    undefined,
    failing,
  );
  expect(good.record).toMatchObject({ result: 'passed', error: null });
});

test('arguments that a pinned turn got wrong fail the call stage', async () => {
  const { record } = await play(
    { steps: [pinned('one', { serverName: 'Weather' }), expectWeather('call', 'Oslo')] },
    [],
  );
  expect(record.result).toBe('failed');
  expect(record.chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'arguments' });
});

test('a secret that a server puts into its error does not reach the record of the failure', async () => {
  const leaking = {
    'tools/call': { content: [{ type: 'text', text: 'password=hunter2 is wrong' }], isError: true },
  };
  const checks = { mode: 'replace' as const, list: [{ type: 'noToolErrors' as const }] };
  const { record } = await play(
    { steps: [ask], checks },
    [callWeather, sunny],
    {},
    {},
    undefined,
    undefined,
    leaking,
  );
  expect(record.error).toContain('[redacted]');
  expect(JSON.stringify([record.error, record.chain, record.evidence])).not.toContain('hunter2');
});

test('a trace stays within its bound, and says what was cut', async () => {
  const text = 'x'.repeat(1_500_000);
  const long = { 'tools/call': { content: [{ type: 'text', text }] } };
  const calls = [callWeather, callWeather, callWeather, callWeather, sunny];
  const { record, models } = await play(
    { steps: [ask] },
    calls,
    {},
    {},
    undefined,
    undefined,
    long,
  );
  expect(JSON.stringify(record.trace).length).toBeLessThan(4.3 * 1024 * 1024);
  expect(JSON.stringify(messagesOf(record)[6])).toContain('1498000 characters were cut');
  expect(JSON.stringify(models.requests[4]?.messages).length).toBeGreaterThan(5_900_000);
  expect(messagesOf(record).at(-1)).toMatchObject({ content: [{ text: 'It is sunny.' }] });
});

function expectWeather(id: string, city = 'Rome'): Extract<Step, { kind: 'assert' }> {
  return {
    id,
    kind: 'assert',
    assertion: { type: 'toolCalledWith', toolName: 'weather', args: { args: { city } } },
  };
}

function pinned(id: string, server: { serverName: string; serverId?: string }): Step {
  return { id, kind: 'toolCall', toolName: 'weather', arguments: { city: 'Rome' }, ...server };
}

async function started(answers: Record<string, FakeAnswer> = {}): Promise<FakeMcpServer> {
  const tools = ['weather', 'clock'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const server = await startFakeMcpServer({ 'tools/list': { tools }, ...answers });
  stops.push(() => server.stop());
  return server;
}

function serverAt({ url }: FakeMcpServer, id: string, name: string): TrialServer {
  return { id, name, url };
}

async function prepare(
  definition: Omit<EvalCaseDefinition, 'title'>,
  more: Parameters<typeof planFor>[2] = {},
  answers: Record<string, FakeAnswer> = {},
) {
  const server = await started(answers);
  const servers = [serverAt(server, 'srv_1', 'Weather')];
  return { server, desk: deskFor(mcp, servers), plan: planFor(definition, servers, more) };
}

async function play(
  definition: Omit<EvalCaseDefinition, 'title'>,
  lines: readonly ModelLine[],
  more: Parameters<typeof planFor>[2] = {},
  means: Partial<TrialMeans> = {},
  change: (plan: RunPlan) => RunPlan = (plan) => plan,
  signal?: AbortSignal,
  answers: Record<string, FakeAnswer> = {},
) {
  const { server, desk, plan } = await prepare(definition, more, answers);
  const models = modelOfLines(lines);
  const record = await firstTrial(meansFor(desk, models, means), change(plan), signal);
  return { record, server, models };
}

function called(server: FakeMcpServer): unknown[] {
  return server.requests
    .filter(({ message }) => message['method'] === 'tools/call')
    .map(({ message }) => (message['params'] as { name: string }).name);
}

function messagesOf({ trace }: TrialRecord) {
  return trace['messages'] as { role: string; content: unknown; pinned?: boolean }[];
}

function spansOf({ trace }: TrialRecord) {
  return trace['spans'] as { id: string; startMs: number; endMs: number }[];
}
