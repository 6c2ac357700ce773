import { expect, test } from 'vitest';
import { matchPreviewOf, rankOfMatch, readConversation } from './conversation.ts';
import { activityAt, positionOfSession, sessionsAfter } from './session-order.ts';

test('a conversation is counted and previewed by what was said, and not by what tools were sent', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: '' },
    { role: 'user', content: [{ type: 'text', text: 'x'.repeat(300) }, { type: 'file' }] },
    { role: 'assistant', content: [{ type: 'tool-call', input: { secret: 'hidden' } }] },
    ...['odd', null],
  ];
  expect(readConversation(messages)).toEqual({
    messageCount: 4,
    userMessageCount: 2,
    firstMessagePreview: 'x'.repeat(200),
    texts: ['Be kind.', 'x'.repeat(300)],
  });
  expect(readConversation([])).toMatchObject({ messageCount: 0, firstMessagePreview: '' });
});

test('a hit is shown with what is around it, in at most 200 characters', () => {
  const text = `${'a'.repeat(500)} Rome ${'b'.repeat(500)}`;
  const shown = matchPreviewOf(text, 'rOME');
  expect(shown).toHaveLength(200);
  expect(shown).toMatch(/a Rome b/);
  expect(matchPreviewOf('Rome', 'rome')).toBe('Rome');
  expect(matchPreviewOf('Oslo', 'rome')).toBeUndefined();
  expect(matchPreviewOf(text, 'b'.repeat(300))).toHaveLength(200);
});

test('the whole is better than a beginning, a word and a part of a word', () => {
  const titles = ['Rome', 'Rome by night', 'In Rome', 'Romeo, a chromeo', 'A chrome pot', 'Oslo'];
  expect(titles.map((title) => rankOfMatch(title, 'rome'))).toEqual([4, 3, 2, 3, 1, 0]);
});

test('better, then later, then by id; a page begins strictly after a place', () => {
  const at = (id: string, lastActivityMs: number, rank = 0) => ({ id, lastActivityMs, rank });
  const now = Date.UTC(2026, 10);
  const sessions = [
    ...[at('old', now - 1, 1), at('a', now), at('b', now), at('new', now + 1), at('best', 5, 9)],
  ];
  const order = sessionsAfter(sessions, undefined).map(({ id }) => id);
  expect(order).toEqual(['best', 'old', 'new', 'b', 'a']);
  for (const [index, id] of order.entries()) {
    const place = positionOfSession(sessions.find((one) => one.id === id) as (typeof sessions)[0]);
    expect(Number.isSafeInteger(place.order)).toBe(true);
    expect(sessionsAfter(sessions, place).map((one) => one.id)).toEqual(order.slice(index + 1));
  }
  expect(activityAt(positionOfSession(at('old', now - 1, 9)))).toEqual({
    order: now - 1,
    id: 'old',
  });
});
