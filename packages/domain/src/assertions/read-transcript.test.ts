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

describe('what came back of a call', () => {
  const mcp = (more: object) => ({ output: { type: 'json', value: more } });
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
  const span = { category: 'tool', toolCallId: 'id-a', startMs: 5, endMs: 47 };

  test.each<[object, object]>([
    [mcp(text('größe')), { text: 'größe', sizeBytes: 7 }],
    [
      mcp({ ...text('one'), structuredContent: { a: 1 } }),
      { text: 'one', structuredContent: { a: 1 }, sizeBytes: 3 },
    ],
    [
      mcp({ content: [], structuredContent: { a: 1 } }),
      { structuredContent: { a: 1 }, sizeBytes: 7 },
    ],
    [{ output: { type: 'text', value: 'plain' } }, { text: 'plain', sizeBytes: 5 }],
    [{ result: { rows: [1] } }, { structuredContent: { rows: [1] }, sizeBytes: 12 }],
    [
      mcp({ ...text('no such city'), isError: true }),
      {
        error: { kind: 'content-error', message: 'no such city' },
        text: 'no such city',
        sizeBytes: 12,
      },
    ],
    [
      { output: { type: 'error-text', value: 'gone' } },
      { error: { kind: 'protocol-error', message: 'gone' }, sizeBytes: 4 },
    ],
    [{ result: text('ok'), isError: true }, { error: { kind: 'content-error', message: 'ok' } }],
  ])('%j', (part, expected) => {
    const { toolCalls } = readTranscript({ messages: [calls('a'), result(part)] });
    expect(toolCalls[0]?.result).toMatchObject(expected);
  });

  test('is absent where the trace does not hold it', () => {
    for (const messages of [
      [calls('a')],
      [calls('b'), result(mcp(text('x')))],
      [calls('a'), result({})],
    ]) {
      const [call] = readTranscript({ messages }).toolCalls;
      expect(call).not.toHaveProperty('result');
      expect(call).not.toHaveProperty('latencyMs');
    }
  });

  test('took as long as its span, unless our own side lost it', () => {
    const of = (more: object) =>
      readTranscript({ messages: [calls('a')], spans: [{ ...span, ...more }] }).toolCalls[0];
    expect(of({})?.latencyMs).toBe(42);
    expect(of({ mcpErrorOrigin: 'ours' })).not.toHaveProperty('latencyMs');
    expect(of({ endMs: 'later' })).not.toHaveProperty('latencyMs');
    expect(of({ category: 'llm' })).not.toHaveProperty('latencyMs');
  });

  test('belongs to a recorded call where the messages hold the same calls', () => {
    const messages = [calls('a'), result(mcp(text('x')))];
    const recorded = { toolName: 'a', arguments: { q: 1 } };
    const read = (...toolCalls: object[]) =>
      readTranscript({ messages }, { toolCalls: toolCalls as never }).toolCalls;
    expect(read(recorded)).toMatchObject([{ ...recorded, result: { text: 'x' } }]);
    expect(read(recorded, recorded)[0]).not.toHaveProperty('result');
    expect(read({ ...recorded, toolName: 'b' })[0]).not.toHaveProperty('result');
  });

  test('two calls with one id have their results in order', () => {
    const messages = [calls('a'), result(mcp(text('x'))), calls('a'), result(mcp(text('y')))];
    expect(readTranscript({ messages }).toolCalls.map((call) => call.result?.text)).toEqual([
      'x',
      'y',
    ]);
  });
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
