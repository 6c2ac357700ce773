import { setTimeout as pause } from 'node:timers/promises';
import type { EvalCaseDefinition } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { gatewayForTest, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  systemPrompt: 'Be short.',
  temperature: 0.5,
  maxTokens: 50,
};
const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'string', default: 'small' } },
  required: ['name'],
};
const question = { message: 'What is your name?', requestedSchema };
const samples: AskingTool = async (ask) =>
  answerAsResult(await ask('sampling/createMessage', sampling));
const asks: AskingTool = async (ask) => answerAsResult(await ask('elicitation/create', question));
const pin: EvalCaseDefinition['steps'][number] = {
  id: 'pin',
  kind: 'toolCall',
  toolName: 'tool',
  serverName: 'Asking',
  arguments: {},
};
const hello: ScriptedReply = {
  text: 'Hello.',
  usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
};

interface Given {
  readonly definition?: Partial<EvalCaseDefinition>;
  readonly replies?: readonly ScriptedReply[];
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  readonly thinksMs?: number;
}

async function play(tool: AskingTool, given: Given = {}) {
  const server = await startAskingServer({ tool });
  const servers = [{ id: 'srv_1', name: 'Asking', url: server.url }];
  const { clientCapabilities } = given;
  const more = clientCapabilities === undefined ? {} : { clientCapabilities };
  const target = async () => httpTarget(server.url, { serverId: 'srv_1', ...more });
  const runServers = runServersFor(mcp, servers, {
    targets: [{ id: 'srv_1', name: 'Asking', target }],
  });
  stops.push(() => runServers.close());
  stops.push(() => server.stop());
  const scripted = createScriptedModel(given.replies ?? []);
  const generate: typeof scripted.generate = async (...asked) => {
    if (given.thinksMs !== undefined) await pause(given.thinksMs);
    return scripted.generate(...asked);
  };
  const models = { ...scripted, generate };
  const plan = planFor({ steps: [pin], ...given.definition }, servers);
  const record = await firstTrial(dependenciesFor(runServers, models), plan);
  return { record, models, trace: JSON.stringify(record.trace['messages']) };
}

describe('sampling', () => {
  test('is answered by the model of the trial, with its tokens apart, and stands in the trace', async () => {
    const call = { toolCallId: 'one', toolName: 'tool', input: {} };
    const { record, models, trace } = await play(samples, {
      definition: { steps: [{ id: 'ask', kind: 'prompt', prompt: 'Greet me.' }] },
      replies: [{ toolCalls: [call] }, hello, { text: 'Done.' }],
    });
    expect(record).toMatchObject({ status: 'completed', result: 'passed' });
    expect(models.requests[1]).toEqual({
      system: 'Be short.',
      temperature: 0.5,
      maxOutputTokens: 50,
      messages: [{ role: 'user', content: 'Say hello.' }],
      tools: [],
    });
    expect(trace).toContain('Hello.');
    expect(record.usage).toMatchObject({ totalTokens: 4 });
    expect(record.trace['samplingUsage']).toMatchObject({ totalTokens: 30 });
    expect(record.trace['serverRequests']).toMatchObject([
      {
        method: 'sampling/createMessage',
        serverId: 'srv_1',
        toolName: 'tool',
        request: { maxTokens: 50 },
        answer: { role: 'assistant', content: { text: 'Hello.' }, stopReason: 'endTurn' },
      },
    ]);
    const spans = record.trace['spans'] as { id: string; category: string; parentId?: string }[];
    const tool = spans.find(({ category }) => category === 'tool');
    expect(spans.find(({ category }) => category === 'request')).toMatchObject({
      name: 'sampling/createMessage',
      parentId: tool?.id,
      totalTokens: 30,
      status: 'ok',
    });
  });

  test('is no time of the tool: its latency is without our answers', async () => {
    const thinksMs = 1_500;
    const quick = { type: 'toolLatencyUnder', ms: thinksMs } as const;
    const { record } = await play(samples, {
      definition: { checks: { mode: 'replace', list: [quick] } },
      replies: [hello],
      thinksMs,
    });
    expect(record).toMatchObject({ result: 'passed', error: null });
    expect(record.durationMs).toBeGreaterThanOrEqual(thinksMs - 5);
  });

  test('is answered four times in a call; a tool that wants more cannot be measured here', async () => {
    const often =
      (times: number): AskingTool =>
      async (ask) => {
        for (let count = 1; count < times; count += 1)
          await ask('sampling/createMessage', sampling);
        return answerAsResult(await ask('sampling/createMessage', sampling));
      };
    const four = [hello, hello, hello, hello];
    const enough = await play(often(4), {
      definition: { steps: [pin, { ...pin, id: 'two' }] },
      replies: [...four, ...four],
    });
    expect(enough.record.result).toBe('passed');
    const { record, models } = await play(often(5), { replies: four });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toContain('more than 4');
    expect(models.requests).toHaveLength(4);
    const copes: AskingTool = async (ask) => {
      for (let count = 0; count < 5; count += 1) {
        await ask('sampling/createMessage', sampling).catch(() => undefined);
      }
      return answerAsResult({ result: 'Done.' });
    };
    expect((await play(copes, { replies: four })).record.result).toBe('passed');
  });

  test.each<[string, ScriptedReply]>([
    ['fails', new ModelFailure('PROVIDER_ERROR', 'The provider answered with HTTP 500.', 3)],
    ['is stopped by a filter', { text: 'He', finishReason: 'content-filter' }],
  ])('by a provider that %s is no failure of the server', async (_, reply) => {
    const { record } = await play(samples, { replies: [reply] });
    expect(record).toMatchObject({ status: 'failed', result: null });
    expect(record.chain).toMatchObject({ failureCategory: 'setup' });
    expect(record.chain.firstFailedStage).toBeUndefined();
  });

  test('that is as long as the server allowed is whole', async () => {
    const { record, trace } = await play(samples, {
      replies: [{ text: 'He', finishReason: 'length' }],
    });
    expect(record.result).toBe('passed');
    expect(trace).toContain('maxTokens');
  });

  test('of nonsense is refused, and that is the doing of the server', async () => {
    const nonsense: AskingTool = async (ask) =>
      answerAsResult(await ask('sampling/createMessage', { messages: 'x' }));
    const { record } = await play(nonsense);
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
    expect(record.chain.failureCategory).toBe('serverData');
  });
});

describe('elicitation', () => {
  const rows: [string, Partial<EvalCaseDefinition>, object][] = [
    ['declined where the case says nothing', {}, { action: 'decline' }],
    [
      'answered by the case, with what the form has already',
      { elicitations: [{ action: 'accept', content: { name: 'Ada' } }] },
      { action: 'accept', content: { name: 'Ada', size: 'small' } },
    ],
    ['cancelled by the case', { elicitations: [{ action: 'cancel' }] }, { action: 'cancel' }],
    [
      'answered by the step before the case',
      {
        steps: [{ ...pin, elicitations: [{ action: 'cancel' }] }],
        elicitations: [{ action: 'accept', content: { name: 'Ada' } }],
      },
      { action: 'cancel' },
    ],
    [
      'answered by the first that is meant for the question',
      {
        elicitations: [
          { message: 'password', action: 'cancel' },
          { message: 'your name', action: 'accept', content: { name: 'Eve', size: 'large' } },
        ],
      },
      { action: 'accept', content: { name: 'Eve', size: 'large' } },
    ],
  ];

  test.each(rows)('is %s', async (_, definition, expected) => {
    const { record } = await play(asks, { definition });
    expect(record).toMatchObject({ status: 'completed', result: 'passed' });
    expect(record.trace['serverRequests']).toMatchObject([
      { method: 'elicitation/create', request: { message: question.message }, answer: expected },
    ]);
    // biome-ignore lint/suspicious/noExplicitAny: a trace holds whatever was said.
    const [, result] = record.trace['messages'] as any[];
    expect(JSON.parse(result.content[0].output.value.content[0].text)).toEqual(expected);
  });

  test('is answered in order, each answer once', async () => {
    const twice: AskingTool = async (ask) => {
      const answers = [];
      for (let count = 0; count < 3; count += 1)
        answers.push(await ask('elicitation/create', question));
      return {
        content: [{ type: 'text', text: JSON.stringify(answers.map((one) => one['result'])) }],
      };
    };
    const { record } = await play(twice, {
      definition: {
        elicitations: [{ action: 'accept', content: { name: 'A' } }, { action: 'cancel' }],
      },
    });
    const answers = record.trace['serverRequests'] as { answer: { action: string } }[];
    expect(answers.map(({ answer }) => answer.action)).toEqual(['accept', 'cancel', 'decline']);
  });

  const other = { message: 'password' };
  const insists: AskingTool = async (ask) => {
    await ask('elicitation/create', question);
    return { isError: true, content: [{ type: 'text', text: 'I wanted a name.' }] };
  };
  const unfit: Partial<EvalCaseDefinition> = {
    elicitations: [{ action: 'accept', content: { name: 7 } }],
  };

  test('by an answer that does not fit the question is declined, and the trace says why', async () => {
    const { record } = await play(asks, { definition: unfit });
    expect(record.result).toBe('passed');
    expect(record.trace['serverRequests']).toMatchObject([
      { answer: { action: 'decline' }, withheld: expect.stringContaining('does not match') },
    ]);
  });

  test('in that way, and a call that fails after it is a mistake of the case, not of the server', async () => {
    const { record } = await play(insists, { definition: unfit });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toContain('does not match');
  });

  test.each<[string, Partial<EvalCaseDefinition>]>([
    ['where the case has none', {}],
    ['where it has one for another question', { elicitations: [{ ...other, action: 'cancel' }] }],
  ])(
    'that nobody has an answer to is declined, and the trace says so: %s',
    async (_, definition) => {
      const { record } = await play(asks, { definition });
      expect(record.result).toBe('passed');
      expect(record.trace['serverRequests']).toMatchObject([
        { answer: { action: 'decline' }, withheld: expect.stringContaining('has no answer') },
      ]);
    },
  );

  test('without an answer excuses no call that fails after it', async () => {
    const { record } = await play(insists, {});
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  });

  test('by URL is refused, and the trace says so', async () => {
    const url = {
      mode: 'url',
      url: 'https://example.com',
      elicitationId: 'e',
      message: 'Go there.',
    };
    const { record } = await play(
      async (ask) => answerAsResult(await ask('elicitation/create', url)),
      {
        definition: { elicitations: [{ action: 'accept' }] },
      },
    );
    expect(record.trace['serverRequests']).toMatchObject([
      {
        answer: { error: 'The client does not support elicitation by URL.' },
        withheld: expect.stringContaining('address'),
      },
    ]);
  });
});

describe('an ability that the client of the run lacks', () => {
  const fails =
    (message: string): AskingTool =>
    async () => ({
      isError: true,
      content: [{ type: 'text', text: message }],
    });
  const rows: [string, AskingTool][] = [
    ['is asked for', samples],
    ['is missed in the words of a library', fails('Client does not support sampling')],
    ['is an elicitation', fails('Client does not support form elicitation.')],
    ['is an elicitation by URL', fails('Client does not support url elicitation.')],
    ['is told by a code', async () => ({ error: { code: -32042, message: 'Open it first.' } })],
  ];

  test.each(rows)('makes a set-up failure of a call that fails for it: it %s', async (_, tool) => {
    const { record } = await play(tool, { clientCapabilities: {} });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toMatch(/needs (sampling|elicitation)/);
    expect(record.chain).toMatchObject({ failureCategory: 'setup' });
  });

  test('is no excuse for a server that was told of it', async () => {
    const { record } = await play(fails('Client does not support sampling'));
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
    expect(record.chain.failureCategory).toBe('serverData');
  });

  test('does not matter to a call that ends well without it', async () => {
    const copes: AskingTool = async (ask) => {
      await ask('sampling/createMessage', sampling);
      return { content: [{ type: 'text', text: 'Without a model, then.' }] };
    };
    expect((await play(copes, { clientCapabilities: {} })).record.result).toBe('passed');
  });
});

describe('elicitation by URL', () => {
  const address = 'https://one.example/sign-in?token=a-secret';
  const signIn: AskingTool = async (ask) => {
    const question = { mode: 'url', message: 'Sign in.', url: address, elicitationId: 'one' };
    const { result = {} } = await ask('elicitation/create', question);
    const { action } = result as { action?: string };
    const text = `You said ${action}.`;
    return { content: [{ type: 'text', text }], ...(action !== 'accept' && { isError: true }) };
  };
  const answering = (url: string) => ({
    definition: { elicitations: [{ mode: 'url' as const, url, action: 'accept' as const }] },
  });

  test('is answered as the case says, and told without the query of the address', async () => {
    const { record, trace } = await play(signIn, answering('one.example/sign-in'));
    expect(record).toMatchObject({ status: 'completed', result: 'passed' });
    expect(trace).toContain('You said accept.');
    expect(record.trace['serverRequests']).toMatchObject([
      { request: { url: 'https://one.example/sign-in' }, answer: { action: 'accept' } },
    ]);
    expect(JSON.stringify(record)).not.toContain('a-secret');
  });

  test('to another address has no answer, so the failure is not held against the server', async () => {
    const { record } = await play(signIn, answering('two.example'));
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toContain('to which the case has no answer');
  });

  test('is declared only where the case has an answer to it', async () => {
    const declared: unknown[] = [];
    const server = await startAskingServer({ tool: signIn });
    const urls = [answering('one.example').definition, {}];
    for (const definition of urls) {
      const servers = [{ id: 'srv_1', name: 'Asking', url: server.url }];
      const runServers = runServersFor(mcp, servers);
      const plan = planFor({ steps: [pin], ...definition }, servers);
      await firstTrial(dependenciesFor(runServers, createScriptedModel([])), plan);
      await runServers.close();
    }
    for (const { message } of server.requests) {
      if (message['method'] !== 'initialize') continue;
      const { capabilities } = message['params'] as { capabilities: Record<string, unknown> };
      declared.push(capabilities['elicitation']);
    }
    await server.stop();
    expect(declared).toEqual([{ form: {}, url: {} }, { form: {} }]);
  });
});

describe('what is our own doing', () => {
  const refuses: AskingTool = async (ask) => {
    const answer = await ask('sampling/createMessage', sampling).catch((error: Error) => error);
    return { isError: true, content: [{ type: 'text', text: String(answer) }] };
  };

  test('a fault of ours while we answer is thrown as ours, and its text is not told to the server', async () => {
    const fault = new TypeError('inner text of ours');
    await expect(play(refuses, { replies: [fault as never] })).rejects.toThrow(
      'inner text of ours',
    );
  });

  test('more messages than we read: the server is not blamed', async () => {
    const many = { ...sampling, messages: Array.from({ length: 201 }, () => sampling.messages[0]) };
    const { record } = await play(async (ask) => {
      await ask('sampling/createMessage', many).catch(() => undefined);
      return { isError: true, content: [{ type: 'text', text: 'No.' }] };
    });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
  });
});
