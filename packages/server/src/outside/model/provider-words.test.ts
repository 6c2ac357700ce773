import type { ChosenModel } from '@proofmark/domain';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import type { ModelGateway, ModelRequest } from './model-gateway.ts';

const never = new AbortController().signal;
const inputSchema = { type: 'object' };
const request: ModelRequest = {
  messages: [{ role: 'user', content: 'What is the weather in Bonn?' }],
  tools: [{ name: 'weather', inputSchema }],
};

let server: OpenAiServer;
let gateway: ModelGateway;

beforeAll(async () => {
  server = await startOpenAiServer();
  const models = [{ name: 'plain' }, { name: 'seeing', images: true }];
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl } as const;
  gateway = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [{ ...provider, models }],
  });
});

afterAll(async () => {
  await gateway.close();
  await server.stop();
});

function chosen(name: string): ChosenModel {
  return { hosted: true, id: `local/${name}`, provider: 'local', name };
}

test.each([
  ['stop', 'stop', 'tool-calls'],
  ['tool_calls', 'tool-calls', 'tool-calls'],
  ['length', 'length', 'length'],
  ['content_filter', 'content-filter', 'content-filter'],
  ['error', 'other', 'other'],
  ['insufficient_system_resource', 'other', 'other'],
])(
  'the finish reason %s is handed on as %s, and beside a call as %s',
  async (providerReason, alone, withCall) => {
    const cut = { name: 'weather', arguments: '{"city":"Bo' };
    for (const outcome of [
      { text: 'Clear.' },
      {},
      { toolCalls: [{ name: 'weather', arguments: {} }] },
      { text: 'Let me see.', toolCalls: [cut] },
    ]) {
      server.scripts.set('plain', () => ({ ...outcome, finishReason: providerReason }));
      const { finishReason } = await gateway.generate(chosen('plain'), request, { signal: never });
      expect(finishReason).toBe('toolCalls' in outcome ? withCall : alone);
    }
  },
);

test.each([
  ['plain', 'in words', ['tool']],
  ['seeing', 'as an image', ['tool', 'user']],
])('a result reaches the model %s as text, and its image %s', async (name, _, roles) => {
  const data = 'iVBORw0KGgo=';
  const content = [
    { type: 'text', text: 'Look:' },
    { type: 'image', mimeType: 'image/png', data },
  ];
  const output = { type: 'json', value: { content } } as const;
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'weather', output } as const;
  server.scripts.set(name, ({ messages }) => {
    const [tool, shown] = messages.slice(-roles.length);
    expect(messages.slice(-roles.length).map(({ role }) => role)).toEqual(roles);
    expect(tool?.content).toBe('Look:\n[image image/png, 9 bytes]');
    if (shown) expect(shown.content[1].image_url.url).toBe(`data:image/png;base64,${data}`);
    return { text: 'Seen.' };
  });
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: {} } as const;
  const messages = [
    ...request.messages,
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ] as const;
  const reply = await gateway.generate(chosen(name), { ...request, messages }, { signal: never });
  expect(reply.text).toBe('Seen.');
});
