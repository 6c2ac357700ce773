import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChosenModel, ModelProviderKind } from '@proofmark/domain';
import { afterEach, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import type { ModelGateway, ModelMessage, ModelReply, ModelRequest } from './model-gateway.ts';

interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: every provider has a shape of its own.
  readonly body: any;
}

interface Format {
  readonly path: string;
  readonly key: (headers: IncomingMessage['headers']) => unknown;
  readonly call: object;
  readonly text: object;
  readonly toolsIn: (body: Seen['body']) => unknown;
  readonly roundTrip: (body: Seen['body']) => unknown;
}

const choice = (message: object, finish_reason: string) => ({
  id: 'answer-1',
  object: 'chat.completion',
  created: 0,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const chat: Format = {
  path: '/base/chat/completions',
  key: (headers) => headers.authorization,
  call: choice(
    {
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } },
      ],
    },
    'tool_calls',
  ),
  text: choice({ content: 'Clear.' }, 'stop'),
  toolsIn: (body) => body.tools.map((tool: Seen['body']) => tool.function.name),
  roundTrip: ({ messages }) => [
    messages.at(-2).tool_calls[0].function.arguments,
    JSON.parse(messages.at(-1).content),
  ],
};
const called = ['{"city":"Bonn"}', { sky: 'clear' }];

const formats: Readonly<Record<ModelProviderKind, Format>> = {
  openai: chat,
  openrouter: chat,
  'openai-compatible': chat,
  anthropic: {
    path: '/base/messages',
    key: (headers) => `Bearer ${headers['x-api-key']}`,
    call: anthropic(
      [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Bonn' } }],
      'tool_use',
    ),
    text: anthropic([{ type: 'text', text: 'Clear.' }], 'end_turn'),
    toolsIn: (body) => body.tools.map((tool: Seen['body']) => tool.name),
    roundTrip: ({ messages }) => [
      JSON.stringify(messages.at(-2).content[0].input),
      JSON.parse(messages.at(-1).content[0].content),
    ],
  },
  google: {
    path: '/base/models/m:generateContent',
    key: (headers) => `Bearer ${headers['x-goog-api-key']}`,
    call: google([
      { functionCall: { name: 'weather', args: { city: 'Bonn' } }, thoughtSignature: 'c2ln' },
    ]),
    text: google([{ text: 'Clear.' }]),
    toolsIn: (body) => body.tools[0].functionDeclarations.map((tool: Seen['body']) => tool.name),
    roundTrip: ({ contents }) => {
      const part = contents.at(-2).parts[0];
      expect(part.thoughtSignature).toBe('c2ln');
      return [
        JSON.stringify(part.functionCall.args),
        contents.at(-1).parts[0].functionResponse.response.content,
      ];
    },
  },
  ollama: {
    path: '/base/chat',
    key: (headers) => headers.authorization,
    call: ollama({
      content: '',
      tool_calls: [{ function: { name: 'weather', arguments: { city: 'Bonn' } } }],
    }),
    text: ollama({ content: 'Clear.' }),
    toolsIn: (body) => body.tools.map((tool: Seen['body']) => tool.function.name),
    roundTrip: ({ messages }) => [
      JSON.stringify(messages.at(-2).tool_calls[0].function.arguments),
      JSON.parse(messages.at(-1).content),
    ],
  },
};

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

test.each(Object.entries(formats) as [ModelProviderKind, Format][])(
  '%s gets its own form of a request, and a tool call goes there and back',
  async (kind, format) => {
    const { baseUrl, seen } = await startServer([format.call, format.text]);
    const ask = gatewayTo(kind, baseUrl);
    const first = await ask(request);
    expect(first).toMatchObject({
      text: '',
      toolCalls: [{ toolName: 'weather', input: { city: 'Bonn' } }],
      finishReason: 'tool-calls',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      attempts: 1,
    });
    const second = await ask({ ...request, messages: [...request.messages, ...answered(first)] });
    expect(second).toMatchObject({ text: 'Clear.', toolCalls: [], finishReason: 'stop' });
    expect(seen.map(({ path }) => path)).toEqual([format.path, format.path]);
    expect(format.key(seen[0]?.headers ?? {})).toBe('Bearer sk-test');
    expect(format.toolsIn(seen[0]?.body)).toEqual(['weather']);
    expect(JSON.stringify(seen[0]?.body)).toContain('You help.');
    expect(format.roundTrip(seen[1]?.body)).toEqual(called);
  },
);

test.each(
  (Object.keys(formats) as ModelProviderKind[]).flatMap((kind) => [
    [kind, 'whole', {}] as const,
    [kind, 'in pieces', { onText: () => undefined }] as const,
  ]),
)(
  'a request to %s for an answer %s that has left is told as sent, also when it is given up',
  async (kind, _, hears) => {
    const { baseUrl, seen } = await startServer([]);
    const leaving = new AbortController();
    const sentFlags: boolean[] = [];
    const asked = gatewayTo(kind, baseUrl)(request, {
      ...hears,
      signal: leaving.signal,
      onSent: (isSent) => void sentFlags.push(isSent),
    });
    const refused = expect(asked).rejects.toBe('no longer wanted');
    await expect.poll(() => seen.length).toBe(1);
    leaving.abort('no longer wanted');
    await refused;
    expect(sentFlags).toEqual([true]);
  },
);

const request: ModelRequest = {
  system: 'You help.',
  messages: [{ role: 'user', content: 'What is the weather in Bonn?' }],
  tools: [
    {
      name: 'weather',
      description: 'The weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
};

function answered({ toolCalls }: ModelReply): ModelMessage[] {
  const [call] = toolCalls;
  if (call === undefined) throw new Error('There was no call.');
  const { toolCallId, toolName } = call;
  const output = { type: 'json', value: { sky: 'clear' } } as const;
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...call }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ];
}

function gatewayTo(kind: ModelProviderKind, baseUrl: string) {
  const gateway = createModelGateway({
    egress: { allowLoopback: false, allowedPrivateHosts: [] },
    providers: [{ name: 'mine', kind, baseUrl, apiKey: 'sk-test', models: [{ name: 'm' }] }],
  });
  cleanUps.push(() => gateway.close());
  const model: ChosenModel = { hosted: true, id: 'mine/m', provider: 'mine', name: 'm' };
  const { signal } = new AbortController();
  return (asked: ModelRequest, options: Parameters<ModelGateway['generate']>[2] = { signal }) =>
    gateway.generate(model, asked, options);
}

async function startServer(answers: readonly object[]) {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    seen.push({ path, headers: incoming.headers, body: JSON.parse(text) });
    const answer = answers[seen.length - 1];
    if (answer === undefined) return;
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, seen };
}

function anthropic(content: readonly object[], stop_reason: string) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
}

function google(parts: readonly object[]) {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata,
  };
}

function ollama(message: object) {
  return {
    model: 'm',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', ...message },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 10,
    eval_count: 5,
  };
}
