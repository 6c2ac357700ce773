import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChosenModel, ModelProviderKind } from '@proofmark/domain';
import {
  type ChatRequest,
  type OpenAiServer,
  startOpenAiServer,
  wantingReasoning,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelGateway, ModelMessage, ModelReply, ModelRequest } from './model-gateway.ts';

const { signal } = new AbortController();
const asked: ModelRequest = {
  messages: [{ role: 'user', content: 'What is the weather in Bonn?' }],
  tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
};
const stated: ModelRequest = {
  ...asked,
  temperature: 0.5,
  topP: 0.9,
  maxOutputTokens: 77,
  seed: 4,
  reasoningEffort: 'low',
};
const chosen: ChosenModel = { hosted: true, id: 'local/m', provider: 'local', name: 'm' };

let server: OpenAiServer;
let gateway: ModelGateway;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await startOpenAiServer();
  gateway = gatewayTo('openai-compatible', server.baseUrl);
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function gatewayTo(kind: ModelProviderKind, baseUrl: string): ModelGateway {
  return createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [{ name: 'local', kind, baseUrl, apiKey: 'sk-test', models: [{ name: 'm' }] }],
  });
}

test('an OpenAI-compatible provider is told each of them by its name', async () => {
  let seen: ChatRequest | undefined;
  server.scripts.set('m', (request) => {
    seen = request;
    return { text: 'Clear.' };
  });
  const reply = await gateway.generate(chosen, stated, { signal });
  expect(seen).toMatchObject({
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 77,
    seed: 4,
    reasoning_effort: 'low',
  });
  expect(reply.ignored).toBeUndefined();
  await gateway.generate(chosen, asked, { signal });
  expect(Object.keys(seen ?? {})).toEqual(['model', 'messages', 'tools', 'tool_choice']);
});

const kinds: readonly (readonly [ModelProviderKind, object, readonly string[]])[] = [
  ['openai', { top_p: 0.9, max_tokens: 77, seed: 4, reasoning_effort: 'low' }, []],
  ['openrouter', { top_p: 0.9, max_tokens: 77, seed: 4, reasoning: { effort: 'low' } }, []],
  ['anthropic', { max_tokens: 77, output_config: { effort: 'low' } }, ['seed']],
  [
    'google',
    {
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 77,
        seed: 4,
        thinkingConfig: { thinkingLevel: 'low' },
      },
    },
    [],
  ],
  [
    'ollama',
    { think: true, options: { temperature: 0.5, top_p: 0.9, num_predict: 77, seed: 4 } },
    [],
  ],
];

const answers: Readonly<Partial<Record<ModelProviderKind, object>>> = {
  anthropic: {
    id: 'a',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'Clear.' }],
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  google: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Clear.' }] }, finishReason: 'STOP' }],
  },
  ollama: {
    model: 'm',
    created_at: '2026-01-01T00:00:00Z',
    done: true,
    done_reason: 'stop',
    message: { role: 'assistant', content: 'Clear.' },
  },
};
const chatAnswer = {
  id: 'a',
  object: 'chat.completion',
  created: 0,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Clear.' }, finish_reason: 'stop' }],
};

test.each(kinds)(
  'a provider of the kind %s is told them as its API names them',
  async (kind, wanted, ignored) => {
    const { baseUrl, bodies } = await listen(answers[kind] ?? chatAnswer);
    const reply = await gatewayTo(kind, baseUrl).generate(chosen, stated, { signal });
    expect(bodies[0]).toMatchObject(wanted);
    // Anthropic accepts either temperature or top-p, not both; its package knows that and reports
    // the dropped parameter as ignored.
    expect(reply.ignored ?? []).toEqual(expect.arrayContaining([...ignored]));
  },
);

test('a word that a kind of provider does not know is refused by name and not sent', async () => {
  const { baseUrl, bodies } = await listen(answers['anthropic'] ?? {});
  const minimal = { ...asked, reasoningEffort: 'minimal' } as const;
  const failure = await failureOf(
    gatewayTo('anthropic', baseUrl).generate(chosen, minimal, { signal }),
  );
  expect(failure).toMatchObject({ reason: 'REQUEST_REFUSED', attempts: 0 });
  expect(failure.message).toContain('reasoningEffort minimal');
  expect(bodies).toEqual([]);
});

test('the built-in model takes none of them and says so', async () => {
  const lexical: ChosenModel = {
    hosted: true,
    id: 'proofmark/lexical-1',
    provider: 'proofmark',
    name: 'lexical-1',
  };
  const reply = await gateway.generate(lexical, stated, { signal });
  expect(reply.ignored).toEqual(['topP', 'maxTokens', 'seed', 'reasoningEffort']);
  const plain = await gateway.generate(lexical, { ...asked, temperature: 0 }, { signal });
  expect(plain.ignored).toBeUndefined();
});

test.each([
  ["Unsupported parameter: 'seed' with this model, key sk-secret.", stated, ['seed']],
  ['top_p and max_completion_tokens: no', stated, ['topP', 'maxTokens']],
  ['seed is not known', asked, []],
  ['The seeds of doubt are no parameter.', stated, []],
])('a provider that refuses with %j is told as refusing it', async (message, request, named) => {
  server.scripts.set('m', () => ({ status: 400, body: JSON.stringify({ error: { message } }) }));
  const failure = await failureOf(gateway.generate(chosen, request, { signal }));
  expect(failure).toMatchObject({ reason: 'REQUEST_REFUSED', attempts: 1 });
  const sentences = named.length === 0 ? [] : [`The answer names ${named.join(' and ')}`];
  for (const words of sentences) expect(failure.message).toContain(words);
  if (named.length === 0) expect(failure.message).not.toContain('The answer names');
  expect(failure.message).not.toContain('sk-secret');
});

test('what a model thought is no text, and goes back with its calls', async () => {
  server.scripts.set(
    'm',
    wantingReasoning((_, count) =>
      count % 2 === 1
        ? { reasoning: 'The sky is asked for.', toolCalls: [{ name: 'weather', arguments: {} }] }
        : { reasoning: 'It is clear.', text: 'Clear.' },
    ),
  );
  const calls = server.count('m');
  if (calls % 2 === 1) await gateway.generate(chosen, asked, { signal });
  const first = await gateway.generate(chosen, asked, { signal });
  expect(first).toMatchObject({
    text: '',
    reasoning: [{ type: 'reasoning', text: 'The sky is asked for.' }],
  });
  const second = await gateway.generate(chosen, withResult(first, true), { signal });
  expect(second.text).toBe('Clear.');
  const lost = await failureOf(gateway.generate(chosen, withResult(first, false), { signal }));
  expect(lost.reason).toBe('REQUEST_REFUSED');
});

test('a signature of what a model thought goes back with it', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
  const hidden = { type: 'redacted_thinking', data: 'aGlk' };
  const use = { type: 'tool_use', id: 'c1', name: 'weather', input: {} };
  const { baseUrl, bodies } = await listen({
    ...answers['anthropic'],
    content: [thinking, hidden, use],
    stop_reason: 'tool_use',
  });
  const anthropic = gatewayTo('anthropic', baseUrl);
  const first = await anthropic.generate(chosen, asked, { signal });
  expect(first.reasoning?.map(({ text }) => text)).toEqual(['Hm.', '']);
  await anthropic.generate(chosen, withResult(first, true), { signal });
  expect(bodies[1].messages[1].content).toEqual([thinking, hidden, use]);
});

function withResult({ reasoning = [], toolCalls }: ModelReply, sendsBack: boolean): ModelRequest {
  const [call] = toolCalls;
  if (call === undefined) throw new Error('There was no call.');
  const { toolCallId, toolName } = call;
  const output = { type: 'json', value: { sky: 'clear' } } as const;
  const answered: ModelMessage[] = [
    {
      role: 'assistant',
      content: [...(sendsBack ? reasoning : []), { type: 'tool-call', ...call }],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ];
  return { ...asked, messages: [...asked.messages, ...answered] };
}

async function failureOf(answer: Promise<unknown>): Promise<ModelFailure> {
  const error = await answer.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

async function listen(answer: object) {
  // biome-ignore lint/suspicious/noExplicitAny: every provider has a shape of its own.
  const bodies: any[] = [];
  const listening = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    bodies.push(JSON.parse(text));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    const closed = new Promise((resolve) => listening.close(resolve));
    listening.closeAllConnections();
    await closed;
  });
  return { baseUrl: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/base`, bodies };
}
