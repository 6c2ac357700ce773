import { expect, test } from 'vitest';
import { newTurn, withPiece } from '../visit/turn-view.ts';
import {
  type ChatRead,
  type ChatTurnRead,
  goesOn,
  heldWithWords,
  type LiveAnswer,
  lanesOf,
  messagesOfChat,
  shownLength,
} from './chat-messages.ts';

const turn = (messageId: string, lane: 0 | 1, more: Partial<ChatTurnRead> = {}): ChatTurnRead => ({
  turnId: `${messageId}-${lane}`,
  messageId,
  ordinal: 0,
  lane,
  modelId: `p/${lane}`,
  text: 'Hi',
  status: 'completed',
  createdAt: 0,
  lines: [],
  ...more,
});
const liveAnswer = (messageId: string, turnId?: string): LiveAnswer => ({
  messageId,
  lane: 0,
  modelId: 'p/0',
  view: { ...newTurn(messageId, 'Hi'), ...(turnId && { turnId }) },
});

test('answers to one message stand together, the first to the left', () => {
  const messages = messagesOfChat([turn('a', 0), turn('b', 1), turn('b', 0)], []);
  expect(
    messages.map(({ messageId, answers }) => [messageId, answers.map((one) => one.lane)]),
  ).toEqual([
    ['a', [0]],
    ['b', [0, 1]],
  ]);
});

test('what was kept is told line by line, and ends as it was kept', () => {
  const lines: ChatTurnRead['lines'] = [
    { type: 'turn_start', turnId: 'a-0' },
    { type: 'tool_call', callId: 'call_1', toolName: 'find', serverName: 'Shop', arguments: {} },
    { type: 'note', text: 'Stopped.' },
    { type: 'turn_finish', messageCount: 1 },
  ];
  const view = messagesOfChat([turn('a', 0, { lines, status: 'stopped' })], [])[0]?.answers[0]
    ?.view;
  expect(view).toMatchObject({ turnId: 'a-0', status: 'stopped' });
  expect(view?.parts.map(({ kind }) => kind)).toEqual(['tool', 'note']);
});

test('what is heard wins until its turn has ended and was read', () => {
  const statusOf = (turns: ChatTurnRead[], live: LiveAnswer[]) =>
    messagesOfChat(turns, live)[0]?.answers[0]?.view.status;
  expect(statusOf([turn('a', 0, { status: 'awaitingApproval' })], [liveAnswer('a', 'a-0')])).toBe(
    'running',
  );
  expect(statusOf([turn('a', 0)], [liveAnswer('a', 'a-0')])).toBe('completed');
  // A failed turn is sent a second time. The stored status "failed" belongs to the first attempt,
  // so the streamed status takes precedence.
  expect(statusOf([turn('a', 0, { status: 'failed' })], [liveAnswer('a', 'other')])).toBe(
    'running',
  );
  expect(goesOn(messagesOfChat([turn('a', 0)], [liveAnswer('b')]))).toBe(true);
  expect(goesOn(messagesOfChat([turn('a', 0)], []))).toBe(false);
});

test('there is more to see with every piece of an answer', () => {
  const before = liveAnswer('a', 'a-0');
  const say = (one: LiveAnswer, at: number, text: string) => ({
    ...one,
    view: withPiece(one.view, { type: 'text_piece', at, text }),
  });
  const begun = say(before, 0, 'It ');
  const lengths = [before, begun, say(begun, 3, 'is warm.')].map((one) =>
    shownLength(messagesOfChat([], [one])),
  );
  expect(lengths).toEqual([...new Set(lengths)].sort((one, other) => one - other));
});

test('a case is made of lanes in which an answer has ended', () => {
  expect(lanesOf(messagesOfChat([], [liveAnswer('a')]))).toEqual([]);
  const lanes = lanesOf(messagesOfChat([turn('a', 0), turn('a', 1), turn('b', 0)], []));
  expect(lanes.map(({ lane, modelId }) => [lane, modelId])).toEqual([
    [0, 'p/0'],
    [1, 'p/1'],
  ]);
});

test('it is said with what a conversation is held, also where that is gone', () => {
  const chat = (target: ChatRead['target'], asksFirst = false, ownedByViewer = true) =>
    heldWithWords({
      target,
      asksFirst,
      ownedByViewer,
      servers: [{ id: 's', name: 'Shop' }],
    } as unknown as ChatRead);
  expect(chat({ kind: 'server', id: 's', name: 'Shop' })).toBe(
    'You talk to the server Shop. Each call of a tool is shown in its place; you are asked before one that may change something.',
  );
  expect(chat({ kind: 'client', id: 'c', name: 'Desk' }, true)).toBe(
    'You talk to the client Desk with Shop. You are asked before each call of a tool.',
  );
  expect(chat({ kind: 'environment', id: 'e', name: null })).toContain('that was deleted');
  expect(chat({ kind: 'server', id: 's', name: 'Shop' }, true, false)).toBe(
    'A colleague talks to the server Shop. They are asked before each call of a tool.',
  );
});
