import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConversation } from './read-conversation.ts';

const call = (toolName: string, input: unknown, toolCallId?: string) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolName, input, ...(toolCallId && { toolCallId }) }],
});
const result = (toolName: string, value: unknown, toolCallId?: string) => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolName,
      output: { type: 'json', value },
      ...(toolCallId && { toolCallId }),
    },
  ],
});
const user = (content: string) => ({ role: 'user', content });

test('each call stands where it was made, with what came back of it', () => {
  const error = { isError: true, content: [{ type: 'text', text: 'shut' }] };
  const turns = readConversation({
    messages: [
      user('How many?'),
      call('count', { item: 'pens' }, 'c1'),
      call('count', { item: 'inks' }, 'c2'),
      result('count', error, 'c2'),
      result('count', 4, 'c1'),
      { role: 'assistant', content: 'Four.' },
      user('Thanks.'),
      call('wave', {}),
    ],
    spans: [
      { id: 's1', category: 'tool', toolName: 'count', startMs: 5, endMs: 9, promptIndex: 0 },
      { id: 's2', category: 'tool', toolName: 'count', startMs: 9, endMs: 10 },
      { id: 'm', category: 'llm', startMs: 0, endMs: 5 },
    ],
    calls: [{ toolName: 'count', serverName: 'Shop', serverId: 'srv_1', arguments: {} }],
  });
  expect(turns.map(({ index, entries }) => [index, entries.map(({ kind }) => kind)])).toEqual([
    [0, ['said', 'call', 'call', 'said']],
    [1, ['said', 'call']],
  ]);
  const [, first, second] = turns[0]?.entries ?? [];
  expect(first).toEqual({
    kind: 'call',
    name: 'count',
    input: { item: 'pens' },
    spanId: 's1',
    tookMs: 4,
    serverName: 'Shop',
    serverId: 'srv_1',
    result: { isError: false, value: 4 },
  });
  expect(second).toMatchObject({ spanId: 's2', result: { isError: true, blocks: error.content } });
  expect(turns[1]?.entries[1]).toEqual({ kind: 'call', name: 'wave', input: {} });
});

test('a call without a prompt before it belongs to the first turn', () => {
  const turns = readConversation({ messages: [call('count', {}), result('count', 'x')] });
  expect(turns).toHaveLength(1);
  expect(turns[0]?.entries[0]).toMatchObject({ result: { value: 'x' } });
});

test('a trace of any shape is read without breaking', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.jsonValue(), (messages, other) => {
      expect(readConversation({ messages, spans: other }).length).toBeLessThanOrEqual(
        messages.length + 1,
      );
    }),
  );
});

test('a call that was answered with a task has what its span says of the task', () => {
  const task = { states: ['working', 'completed'], polls: 2, updates: 0, cancelled: false };
  const turns = readConversation({
    messages: [user('Wait.'), call('slow', {}, 'c1'), result('slow', 4, 'c1')],
    spans: [{ id: 's1', category: 'tool', toolName: 'slow', startMs: 5, endMs: 9, task }],
  });
  expect(turns[0]?.entries[1]).toMatchObject({ kind: 'call', task });
});
