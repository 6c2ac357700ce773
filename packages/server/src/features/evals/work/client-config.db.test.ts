import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type {
  ChatMessage,
  ChatRequest,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
const asked: ChatRequest[] = [];

/** A model that calls the weather tool once and then answers with the tool's result. */
const usual: ModelScript = (request) => {
  asked.push(request);
  const isAnswered = request.messages.some(({ role }) => role === 'tool');
  if (isAnswered) return { text: 'It is sunny in Rome.' };
  return { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
};

/** A model that reads the skill named by the user before it answers. */
const reader: ModelScript = (request) => {
  asked.push(request);
  const toolMessage = request.messages.findLast(({ role }) => role === 'tool');
  if (toolMessage !== undefined) return { text: JSON.stringify(toolMessage.content) };
  return { toolCalls: [{ name: 'loadSkill', arguments: { name: textOf(request, 'user') } }] };
};

beforeAll(async () => {
  fixture = await startEvalFixture({ one: usual, two: usual, three: usual, reader });
});
afterAll(() => fixture.stop());

interface PlayOptions {
  readonly answers?: Readonly<Record<string, FakeAnswer>>;
  readonly caseSays?: object;
  readonly settings?: object;
  readonly run?: object;
}

async function playAs(config: (serverId: string) => object, options: PlayOptions = {}) {
  const server = await fixture.mcpServer(options.answers);
  const clientId = await fixture.client({ modelId: 'local/two', ...config(server.id) });
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    cases: [{ title: 'Weather', steps: whole, ...options.caseSays }],
    ...(options.settings && { settings: options.settings }),
    patch: { executionConfig: { systemPrompt: 'Of the suite.', temperature: 0.1 } },
  });
  asked.length = 0;
  const ended = await fixture.run(suiteId, { namedHostId: clientId, ...options.run });
  return { ...ended, server, suiteId, clientId, trial: ended.trials[0] };
}

function textOf({ messages }: Pick<ChatRequest, 'messages'>, role: ChatMessage['role']) {
  const content = messages.find((message) => message.role === role)?.content;
  return typeof content === 'string' ? content : content?.[0]?.text;
}

function headerOf(server: Awaited<ReturnType<typeof playAs>>['server'], name: string) {
  return new Set(server.requests.map(({ headers }) => headers[name]));
}

const toolNames = () => asked[0]?.tools?.map((tool) => tool.function.name).sort();

describe('the model', () => {
  test('is that of the client, and not the default of the suite', async () => {
    const { trial, run } = await playAs(() => ({}));
    expect(asked.map(({ model }) => model)).toEqual(['two', 'two']);
    expect(trial).toMatchObject({ model: 'local/two', result: 'passed' });
    expect(run.result).toBe('passed');
  });

  test('is that of the environment where it names one', async () => {
    const { suiteId, clientId, server } = await playAs((id) => ({ serverIds: [id] }));
    const environment = await fixture.get(201, 'POST', 'environments', {
      name: unique('Environment'),
      hostId: clientId,
      modelId: 'local/three',
    });
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { environmentIds: [environment.id] });
    asked.length = 0;
    const { trials, run } = await fixture.run(suiteId);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['three']));
    expect(trials[0].model).toBe('local/three');
    expect(run.environment).toEqual({
      id: environment.id,
      name: environment.name,
      revision: environment.revision,
    });
    expect(server.requests.length).toBeGreaterThan(0);
  });
});

describe('what the model is told', () => {
  test('the system prompt and the temperature are those of the client', async () => {
    await playAs(() => ({ systemPrompt: 'Of the client.', temperature: 0.7 }));
    expect(asked).toHaveLength(2);
    for (const request of asked) {
      expect(textOf(request, 'system')).toBe('Of the client.');
      expect(request.temperature).toBe(0.7);
    }
  });

  test('a client that says neither leaves the word to the suite', async () => {
    await playAs(() => ({}));
    expect([textOf(asked[0] as ChatRequest, 'system'), asked[0]?.temperature]).toEqual([
      ...['Of the suite.', 0.1],
    ]);
  });

  test('the case has the last word', async () => {
    const advancedConfig = { system: 'Of the case.', temperature: 0.3, toolChoice: 'required' };
    await playAs(() => ({ systemPrompt: 'Of the client.', temperature: 0.7 }), {
      caseSays: { advancedConfig },
    });
    const [request] = asked;
    expect(request && textOf(request, 'system')).toBe('Of the case.');
    expect(request).toMatchObject({ temperature: 0.3, tool_choice: 'required' });
  });
});

describe('how the client connects', () => {
  test('its default headers, and those for one server, arrive in every request', async () => {
    const { server } = await playAs((id) => ({
      serverIds: [id],
      connectionDefaults: { headers: { 'X-Team': 'default', 'X-Place': 'default' } },
      serverConnectionOverrides: { [id]: { headersOverride: { 'x-team': 'override' } } },
    }));
    expect(headerOf(server, 'x-team')).toEqual(new Set(['override']));
    expect(headerOf(server, 'x-place')).toEqual(new Set(['default']));
  });

  test('what it declares of itself arrives when the connection is made', async () => {
    const clientCapabilities = { elicitation: {}, experimental: { canary: { on: true } } };
    const { server } = await playAs(() => ({ clientCapabilities }));
    const made = server.requests.find(({ message }) => message['method'] === 'initialize');
    expect(made?.message['params']).toMatchObject({ capabilities: clientCapabilities });
  });

  test.each([
    ['of all servers', () => ({ connectionDefaults: { requestTimeout: 1500 } })],
    [
      'of one server',
      (id: string) => ({
        serverIds: [id],
        connectionDefaults: { requestTimeout: 60_000 },
        serverConnectionOverrides: { [id]: { requestTimeoutOverride: 1500 } },
      }),
    ],
  ])('a tool that is slower than its request timeout %s has given no result', async (_, config) => {
    const never: FakeAnswer = () => undefined;
    const { trial, runId } = await playAs(config, { answers: { 'tools/call': never } });
    expect(trial).toMatchObject({ firstFailedStage: 'call', failureCategory: 'setup' });
    expect(trial.stageResults[3]).toMatchObject({ state: 'failed', reason: 'protocolError' });
    const trace = await fixture.get(200, 'GET', `eval-runs/${runId}/iterations/${trial.id}/trace`);
    const codes = trace.spans.flatMap((span: { mcpErrorCode?: number }) => span.mcpErrorCode ?? []);
    expect(codes).toEqual([-32001]);
  });
});

describe('the tools a model is offered', () => {
  const hidden = {
    name: 'repaint',
    inputSchema: { type: 'object' },
    _meta: { ui: { visibility: ['app'] } },
  };
  const answers = { 'tools/list': { tools: [...stageTools, hidden] } };
  const config = (respectToolVisibility: boolean) => () => ({
    respectToolVisibility,
    skillSelection: { mode: 'explicit', skillIds: [] },
  });

  test('are those a client lets it see', async () => {
    await playAs(config(true), { answers });
    expect(toolNames()).toEqual(['clock', 'weather']);
  });

  test('are all where the client does not care', async () => {
    await playAs(config(false), { answers });
    expect(toolNames()).toEqual(['clock', 'repaint', 'weather']);
  });
});

describe('the skills of the client', () => {
  async function withSkill(content: string) {
    const name = unique('Skill');
    const skill = await fixture.get(201, 'POST', 'skills', { name, content });
    const config = () => ({
      modelId: 'local/reader',
      skillSelection: { mode: 'explicit', skillIds: [skill.id] },
    });
    const caseSays = { steps: [{ id: 'ask', kind: 'prompt', prompt: name }] };
    const rewrite = (text: string) =>
      fixture.get(201, 'POST', `skills/${skill.id}/versions`, { content: text });
    return { skill, config, caseSays, rewrite };
  }

  test('are offered by two tools, and read as they are written', async () => {
    const { config, caseSays } = await withSkill('Answer in one sentence.');
    const { trial } = await playAs(config, { caseSays });
    expect(toolNames()).toEqual(['clock', 'listSkills', 'loadSkill', 'weather']);
    expect(JSON.stringify(asked[1]?.messages)).toContain('Answer in one sentence.');
    expect(trial.result).toBe('passed');
  });

  test('are not offered in a run that leaves them out', async () => {
    const { config, caseSays } = await withSkill('Answer in one sentence.');
    await playAs(config, { caseSays, run: { skillsOverride: 'exclude' } });
    expect(toolNames()).toEqual(['clock', 'weather']);
  });

  test('stay those of the launch when they are rewritten before the run begins', async () => {
    const { config, caseSays, rewrite } = await withSkill('As launched.');
    const { suiteId, clientId } = await playAs(config, { caseSays });
    asked.length = 0;
    let runId = '';
    await fixture.restartWorker({
      async meanwhile() {
        const body = { suiteId, namedHostId: clientId };
        runId = (await fixture.get(202, 'POST', 'eval-runs', body)).runId;
        await rewrite('Written afterwards.');
      },
    });
    await fixture.read(runId);
    expect(JSON.stringify(asked)).toContain('As launched.');
    expect(JSON.stringify(asked)).not.toContain('Written afterwards.');
    asked.length = 0;
    await fixture.run(suiteId, { namedHostId: clientId });
    expect(JSON.stringify(asked)).toContain('Written afterwards.');
  });

  test('that a plugin has pinned stay at its version', async () => {
    const { skill, rewrite, caseSays } = await withSkill('As pinned.');
    const { suiteId, server } = await playAs(() => ({ modelId: 'local/reader' }), { caseSays });
    const clientId = await fixture.client({ modelId: 'local/reader', serverIds: [server.id] });
    const plugin = await fixture.get(201, 'POST', 'plugins', {
      name: unique('Plugin'),
      serverIds: [server.id],
      skillIds: [skill.id],
    });
    await rewrite('Written afterwards.');
    const environment = await fixture.get(201, 'POST', 'environments', {
      name: unique('Environment'),
      hostId: clientId,
      pluginVersionIds: [plugin.activeVersionId],
    });
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { environmentIds: [environment.id] });
    asked.length = 0;
    await fixture.run(suiteId);
    expect(JSON.stringify(asked)).toContain('As pinned.');
    expect(JSON.stringify(asked)).not.toContain('Written afterwards.');
  });
});

describe('a call that nobody may make', () => {
  const approval = () => ({ requireToolApproval: true });
  const plain = () => ({});
  test.each<[string, (id: string) => object, PlayOptions]>([
    ['because the client asks a person first', approval, {}],
    [
      'because the suite denies the tool',
      plain,
      { settings: { toolPolicy: { mode: 'default', deny: ['weather'] } } },
    ],
    [
      'because the suite allows only to read',
      plain,
      { settings: { toolPolicy: { mode: 'readOnly' } } },
    ],
  ])('is not made, %s, and nothing is said of the server', async (_, config, options) => {
    const { run, summary, trial, server } = await playAs(config, options);
    const methods = server.requests.map(({ message }) => message['method']);
    expect(methods).toContain('tools/list');
    expect(methods).not.toContain('tools/call');
    expect(summary.verdict).toBe('inconclusive');
    expect(run).toMatchObject({ status: 'completed', result: null });
    expect(trial).toMatchObject({ status: 'failed', result: null });
    expect(trial.failureCategory).toBeUndefined();
    const rows = trial.stageResults as { state: string; reason: string }[];
    const states = rows.map(({ state, reason }) => `${state} ${reason}`);
    expect(new Set(states.slice(0, 3))).toEqual(new Set(['passed observed']));
    expect(new Set(states.slice(3))).toEqual(new Set(['notMeasured blockedByPolicy']));
  });

  test('is made where the policy of the suite exempts its tool', async () => {
    const toolPolicy = { mode: 'readOnly', allow: ['weather'] };
    const { run } = await playAs(plain, { settings: { toolPolicy } });
    expect(run.result).toBe('passed');
  });
});
