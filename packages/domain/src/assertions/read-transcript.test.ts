import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readToolCalls } from './read-tool-calls.ts';
import { readTranscript } from './read-transcript.ts';

const user = { role: 'user', content: 'hi' };
const says = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
const calls = (toolName: string, input: unknown = {}) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: `id-${toolName}`, toolName, input }],
});
const result = (more: object) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'id-a', toolName: 'a', ...more }],
});

test('the final text is that of the last assistant message, with no way back to an earlier one', () => {
  expect(readTranscript({ messages: [user, says('one'), says('two')] }).finalAssistantMessage).toBe(
    'two',
  );
  expect(readTranscript({ messages: [says('one'), user] }).finalAssistantMessage).toBe('one');
  expect(readTranscript({ messages: [says('one'), calls('a')] })).not.toHaveProperty(
    'finalAssistantMessage',
  );
  const plain = { role: 'assistant', content: 'plain' };
  expect(readTranscript({ messages: [plain] }).finalAssistantMessage).toBe('plain');
});

test('turns are the messages of the user, and are not counted where no message is readable', () => {
  expect(readTranscript({ messages: [user, says('x'), user] }).turnCount).toBe(2);
  expect(readTranscript({ messages: [says('x')] }).turnCount).toBe(0);
  for (const messages of [undefined, [], 'text', [null, { role: 1 }, { role: 'user' }]]) {
    expect(readTranscript({ messages })).toEqual({ toolCalls: [] });
  }
});

test('tool calls come from the record, else from the messages in their order', () => {
  const messages = [calls('a', { q: 1 }), calls('b')];
  const a = { toolName: 'a', arguments: { q: 1 } };
  expect(readTranscript({ messages }).toolCalls).toEqual([a, { toolName: 'b', arguments: {} }]);
  expect(readTranscript({ messages }, { toolCalls: [a] }).toolCalls).toEqual([a]);
});

test('a call that cannot be read still counts, without a name', () => {
  expect(
    readToolCalls([{ toolName: 'a', args: { x: 1 } }, { tool: 'b' }, { name: 'c' }, null, 7, {}]),
  ).toEqual([
    { toolName: 'a', arguments: { x: 1 } },
    { toolName: 'b', arguments: {} },
    { toolName: 'c', arguments: {} },
    ...Array(3).fill({ toolName: '', arguments: {} }),
  ]);
});

describe('tool errors', () => {
  const errorsOf = (...messages: unknown[]) => readTranscript({ messages }).toolErrors;
  test.each([
    [{ error: 'refused' }, [{ toolName: 'a', kind: 'protocol-error', message: 'refused' }]],
    [{ error: { message: 'gone' } }, [{ toolName: 'a', kind: 'protocol-error', message: 'gone' }]],
    [
      { output: { type: 'error-text', value: 'no' } },
      [{ toolName: 'a', kind: 'protocol-error', message: 'no' }],
    ],
    [{ result: { isError: true } }, [{ toolName: 'a', kind: 'content-error' }]],
    [{ output: { isError: true } }, [{ toolName: 'a', kind: 'content-error' }]],
    [
      { output: { type: 'json', value: { isError: true } } },
      [{ toolName: 'a', kind: 'content-error' }],
    ],
    [{ isError: true }, [{ toolName: 'a', kind: 'content-error' }]],
    [{ result: { isError: false }, output: { type: 'text', value: 'ok' } }, []],
  ])('%j', (more, errors) => {
    expect(errorsOf(result(more))).toEqual(errors);
  });

  test('a tool span in error is a protocol error, told once per call', () => {
    const span = { category: 'tool', status: 'error', toolName: 'a', toolCallId: 'id-a' };
    const read = (messages: unknown[], spans: unknown[]) =>
      readTranscript({ messages, spans }).toolErrors;
    expect(read([user], [span])).toEqual([{ toolName: 'a', kind: 'protocol-error' }]);
    expect(read([result({ isError: true })], [span])).toEqual([
      { toolName: 'a', kind: 'content-error' },
    ]);
    expect(read([result({ isError: true })], [{ ...span, toolCallId: 'other' }])).toHaveLength(2);
    expect(
      read(
        [user],
        [
          { ...span, category: 'llm' },
          { ...span, status: 'ok' },
        ],
      ),
    ).toEqual([]);
  });

  test('are unknown without messages and spans, and none where there are some', () => {
    expect(readTranscript({})).not.toHaveProperty('toolErrors');
    expect(readTranscript({ messages: [user] }).toolErrors).toEqual([]);
  });
});

test('no trace makes it throw', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (messages, spans) => {
      expect(Array.isArray(readTranscript({ messages, spans }).toolCalls)).toBe(true);
    }),
  );
});
