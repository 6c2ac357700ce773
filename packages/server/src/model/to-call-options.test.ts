import { expect, test } from 'vitest';
import type { ModelMessage } from './model-gateway.ts';
import { modelProviderKinds } from './model-provider.ts';
import { toCallOptions } from './to-call-options.ts';

const { signal } = new AbortController();
const call = { type: 'tool-call', toolCallId: 'one', toolName: 'weather', input: {} } as const;
const nothing = { type: 'text', text: '' } as const;

test('texts that are empty are sent to no provider, and neither is a message of nothing else', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: [nothing, call] },
    { role: 'assistant', content: [nothing] },
  ];
  for (const kind of modelProviderKinds) {
    const { prompt } = toCallOptions({ messages, tools: [] }, signal, kind);
    expect(prompt).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
      { role: 'assistant', content: [call] },
    ]);
  }
});

test('an empty prompt is an empty message where the provider takes one, and is left out elsewhere', () => {
  const messages: ModelMessage[] = [{ role: 'user', content: '' }];
  const sentTo = modelProviderKinds.filter(
    (kind) => toCallOptions({ messages, tools: [] }, signal, kind).prompt.length === 1,
  );
  expect(new Set(sentTo)).toEqual(new Set(['openai', 'openrouter', 'ollama', 'openai-compatible']));
});
