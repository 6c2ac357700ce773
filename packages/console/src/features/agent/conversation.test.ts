import { expect, test } from 'vitest';
import { type AskedTurn, messagesFor } from './conversation.ts';

function asked(question: string, reply: string): AskedTurn {
  const nothing = { toolCalls: [], createdResources: [], proposedActions: [] };
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { question, answer: { reply, ...nothing, usage, model: 'm' } };
}

test('what was said before goes along, in its order', () => {
  expect(messagesFor([asked('one', 'two')], 'three')).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ]);
});

test('a long conversation is cut to its newest part', () => {
  const many = Array.from({ length: 40 }, (_, index) => asked(`q${index}`, `a${index}`));
  const messages = messagesFor(many, 'last');
  expect(messages).toHaveLength(50);
  expect(messages.at(-1)?.content).toBe('last');
  const long = Array.from({ length: 20 }, () => asked('x'.repeat(8000), 'y'.repeat(8000)));
  const size = messagesFor(long, 'last').reduce((sum, { content }) => sum + content.length, 0);
  expect(size).toBeLessThanOrEqual(98_304);
});

test('a reply that is too long to be sent ends what goes along', () => {
  const turns = [asked('one', 'two'), asked('three', 'y'.repeat(9000))];
  expect(messagesFor(turns, 'last')).toEqual([{ role: 'user', content: 'last' }]);
});
