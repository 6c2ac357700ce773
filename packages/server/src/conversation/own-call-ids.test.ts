import { expect, test } from 'vitest';
import type { ModelReply, ModelRequest } from '../outside/model/model-gateway.ts';
import { OwnCallIds } from './own-call-ids.ts';

const reply = (...ids: string[]): ModelReply => ({
  text: '',
  finishReason: 'tool-calls',
  usage: {},
  attempts: 1,
  toolCalls: ids.map((toolCallId) => ({ toolCallId, toolName: 'weather', input: {} })),
});
const requestOf = (replies: readonly ModelReply[]): ModelRequest => ({
  tools: [],
  messages: [
    { role: 'user', content: 'Hello.' },
    ...replies.flatMap(({ toolCalls }) => [
      {
        role: 'assistant' as const,
        content: toolCalls.map((call) => ({ type: 'tool-call' as const, ...call })),
      },
      {
        role: 'tool' as const,
        content: toolCalls.map(({ toolCallId, toolName }) => ({
          type: 'tool-result' as const,
          toolCallId,
          toolName,
          output: { type: 'json' as const, value: {} },
        })),
      },
    ]),
  ],
});
const idsOf = ({ messages }: ModelRequest) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => ('toolCallId' in part ? part.toolCallId : [])),
  );

test('calls are numbered in the order in which they are asked for, also where a provider gives one id twice', () => {
  const ids = new OwnCallIds();
  const [first, second] = [ids.asOurs(reply('x', 'y')), ids.asOurs(reply('x'))];
  expect(first.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(['call-1', 'call-2']);
  expect(second.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(['call-3']);
  const asked = ids.asTheirs(requestOf([first, second]));
  expect(idsOf(asked)).toEqual(['x', 'y', 'x', 'y', 'x', 'x']);
});

test('what a provider attached stays beside the input of its call, and a message is told as one object', () => {
  const ids = new OwnCallIds();
  const given = reply('x');
  const own = ids.asOurs(given);
  expect(own.toolCalls[0]?.input).toBe(given.toolCalls[0]?.input);
  const request = requestOf([own]);
  const [once, again] = [ids.asTheirs(request), ids.asTheirs(request)];
  expect(once.messages.map((one, index) => one === again.messages[index])).not.toContain(false);
  const part = once.messages[1]?.content[0];
  expect(part).toMatchObject({ input: given.toolCalls[0]?.input, toolCallId: 'x' });
});
