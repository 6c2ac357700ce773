import { expect, test } from 'vitest';
import { shorten } from '../../conversation/limit-trace.ts';
import { shownToVisitor } from './shown-result.ts';
import { historyOf } from './turn-history.ts';

const turnMessages = [
  { role: 'user', text: 'Where is it?', createdAt: 1 },
  { role: 'tool', text: '', toolName: 'find it', createdAt: 2 },
  { role: 'assistant', text: 'Here.', createdAt: 3 },
] as const;
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'find it', input: {} };
const output = { type: 'json', value: { content: [] } };
const result = { type: 'tool-result', toolCallId: 'a', toolName: 'find it', output };
const user = { role: 'user', content: 'Where is it?' };
const asks = { role: 'assistant', content: [call] };
const gets = { role: 'tool', content: [result] };
const answers = { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] };
const isCompleted = true;
const nameOf = (name: string) => name.replace(' ', '_');

function callWith(input: object) {
  return [user, { role: 'assistant', content: [{ ...call, input }] }, gets, answers];
}

test('calls and results stand where they stood, under the names of now', () => {
  const trace = { messages: [user, asks, gets, answers] };
  expect(historyOf([{ isCompleted, messages: turnMessages, trace }], nameOf)).toEqual([
    user,
    { role: 'assistant', content: [{ ...call, toolName: 'find_it' }] },
    { role: 'tool', content: [{ ...result, toolName: 'find_it' }] },
    answers,
  ]);
});

test.each([
  ['a call without its result', [user, asks, answers]],
  ['a result without its call', [user, gets, answers]],
  ['an end in the middle', [user, asks, gets]],
  ['a part that was cut', [user, { role: 'assistant', content: '…' }]],
  ['arguments that hold what was hidden', callWith({ key: 'a [hidden]' })],
  ['arguments that were cut', callWith({ text: shorten('x'.repeat(3000), 0) })],
  [
    'arguments that version 0.1.0 cut',
    callWith({ text: 'xx… [1000 characters were cut: the record of a trial is bounded]' }),
  ],
  ['no messages', undefined],
])('of %s only the words are told', (_, messages) => {
  const earlier = { isCompleted, messages: turnMessages, trace: { messages } };
  expect(historyOf([earlier], nameOf)).toEqual([user, answers]);
});

test('of a turn that came to no end words are told where it was answered, and nothing else', () => {
  const trace = { messages: [user, asks, gets, answers] };
  const unanswered = { isCompleted: false, messages: turnMessages.slice(0, 2), trace };
  const stopped = { isCompleted: false, messages: turnMessages, trace };
  expect(historyOf([unanswered, stopped], nameOf)).toEqual([user, answers]);
});

test('a result is shown as text, and not all of it; what is no text by name and size', () => {
  const shown = shownToVisitor({
    type: 'json',
    value: {
      content: [
        { type: 'text', text: 'x'.repeat(2500) },
        { type: 'image', data: 'A'.repeat(16_384), mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'words' } },
      ],
    },
  });
  expect(shown.text).toHaveLength(2000);
  expect(shown).toMatchObject({
    isError: false,
    omitted: [
      'image, 12 KB, not shown',
      expect.stringMatching(/^resource, \d+ bytes, not shown$/),
      'text, 2 KB in all',
    ],
  });
});

test('what a call failed of is told to nobody outside', () => {
  const failed = { type: 'error-text', value: 'connect ECONNREFUSED 10.0.0.7:443' } as const;
  expect(shownToVisitor(failed)).toEqual({ isError: true, text: 'The tool gave no result.' });
});
