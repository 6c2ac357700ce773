import { expect, test } from 'vitest';
import type { ModelMessage } from './model-gateway.ts';
import { toCallOptions } from './to-call-options.ts';

const { signal } = new AbortController();
const call = { type: 'tool-call', toolCallId: 'one', toolName: 'weather', input: {} } as const;
const nothing = { type: 'text', text: '' } as const;

test('texts that are empty are not sent, and neither is a message of nothing else', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: [nothing, call] },
    { role: 'assistant', content: [nothing] },
    { role: 'user', content: '' },
  ];
  const { prompt } = toCallOptions({ messages, tools: [] }, signal);
  expect(prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
    { role: 'assistant', content: [call] },
  ]);
});
