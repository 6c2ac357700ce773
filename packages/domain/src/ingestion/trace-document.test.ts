import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { traceDocument } from './trace-document.ts';

const messages = [{ role: 'user', content: 'Hello.' }];

test.each<[string, unknown, unknown]>([
  ['a list of messages', messages, { traceVersion: 1, messages }],
  [
    'a document',
    { messages, spans: [{ id: 's' }] },
    { traceVersion: 1, messages, spans: [{ id: 's' }] },
  ],
  ['a document without messages', { spans: [] }, { traceVersion: 1, messages: [], spans: [] }],
  ['a document with a version', { traceVersion: 7, messages }, { traceVersion: 1, messages }],
  [
    'a document whose messages are no list',
    { messages: 'Hi' },
    { traceVersion: 1, messages: [], raw: { messages: 'Hi' } },
  ],
  ['text', 'It said hello.', { traceVersion: 1, messages: [], raw: 'It said hello.' }],
  [
    'text that spells a value of another kind',
    '"Hello"',
    { traceVersion: 1, messages: [], raw: '"Hello"' },
  ],
  [
    'text that spells no value',
    '{"messages":',
    { traceVersion: 1, messages: [], raw: '{"messages":' },
  ],
])('%s is one document', (_title, trace, document) => {
  expect(traceDocument(trace)).toEqual(document);
});

describe('no trace', () => {
  test.each([undefined, null, [], {}, '', ' \n', '[]', '{}', ' [ ] ', 5, true])('%j', (trace) => {
    expect(traceDocument(trace)).toBeUndefined();
  });
});

test('a list or a document says the same when it is spelled as text', () => {
  const list = fc.array(fc.jsonValue());
  const record = fc.dictionary(fc.constantFrom('messages', 'spans', 'raw', 'x'), fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(list, record), (value) => {
      const trace = JSON.parse(JSON.stringify(value));
      expect(traceDocument(JSON.stringify(trace))).toEqual(traceDocument(trace));
    }),
  );
});

test('what a document says beside its version and messages is not changed', () => {
  // Assigning `__proto__` would not create a property.
  const name = fc.string().filter((key) => key !== '__proto__');
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), (value) => {
      const { traceVersion: _version, messages: _messages, ...rest } = value;
      const document = traceDocument({ ...rest, messages });
      expect(document).toEqual({ ...rest, traceVersion: 1, messages });
    }),
  );
});
