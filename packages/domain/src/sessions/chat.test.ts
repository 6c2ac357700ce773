import { expect, test } from 'vitest';
import type { VisitLine } from '../user-testing/visit-lines.ts';
import { caseOfChat, titleOfChat } from './case-of-chat.ts';
import { chatOfLane } from './chat-turn.ts';

const call = (callId: string, toolName: string, args: object, serverName = 'Shop'): VisitLine => ({
  type: 'tool_call',
  callId,
  toolName,
  serverName,
  arguments: { ...args },
});
const result = (callId: string, isError = false): VisitLine => ({
  type: 'tool_result',
  callId,
  isError,
  text: '',
});
const chatTurn = (text: string, lines: readonly VisitLine[] = [], modelId = 'p/one') => ({
  text,
  lines,
  modelId,
});
const made = (turns: Parameters<typeof caseOfChat>[0], title?: string) =>
  caseOfChat(turns, { title, hiddenMark: '[hidden]' });
const expected = (turns: Parameters<typeof caseOfChat>[0]) =>
  made(turns)?.steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));

test('what was said are prompts, and behind each stand the calls it led to', () => {
  const turns = [
    chatTurn('Find tea', [call('call_1', 'search', { q: 'tea' }), result('call_1')]),
    chatTurn('Thanks'),
  ];
  expect(made(turns)).toEqual({
    title: 'Find tea',
    models: [{ model: 'p/one' }],
    steps: [
      { id: 'step-1', kind: 'prompt', prompt: 'Find tea' },
      {
        id: 'step-2',
        kind: 'assert',
        assertion: { type: 'toolCalledWith', toolName: 'search', args: { args: { q: 'tea' } } },
      },
      { id: 'step-3', kind: 'prompt', prompt: 'Thanks' },
    ],
  });
  expect(made(turns, 'Tea')?.title).toBe('Tea');
  expect(made([])).toBeUndefined();
});

test('a call that failed, was not made, or of which a part is hidden is not expected', () => {
  const lines = [
    ...[call('call_1', 'search', { q: 'a' }), result('call_1', true)],
    call('call_2', 'search', { q: 'b' }),
    ...[call('call_3', 'search', { q: 'my [hidden] key' }), result('call_3')],
  ];
  expect(expected([chatTurn('Go', lines)])).toEqual([]);
});

test('the same call twice is expected once', () => {
  const lines = [
    ...[call('call_1', 'search', { q: 'a', n: 1 }), result('call_1')],
    ...[call('call_2', 'search', { n: 1, q: 'a' }), result('call_2')],
  ];
  expect(expected([chatTurn('Go', lines)])).toHaveLength(1);
});

test('a server is named where the name of the tool alone does not tell, and models only where there is one', () => {
  const lines = [
    ...[call('call_1', 'search', {}, 'Shop'), result('call_1')],
    ...[call('call_2', 'search', {}, 'Store'), result('call_2')],
    ...[call('call_3', 'buy', {}, 'Store'), result('call_3')],
  ];
  expect(expected([chatTurn('Go', lines)])).toMatchObject([
    { toolName: 'search', serverName: 'Shop' },
    { toolName: 'search', serverName: 'Store' },
    { toolName: 'buy' },
  ]);
  expect(expected([chatTurn('Go', lines)])?.[2]).not.toHaveProperty('serverName');
  expect(made([chatTurn('a'), chatTurn('b', [], 'p/two')])).not.toHaveProperty('models');
});

test('a conversation is called by the first line of what was said first', () => {
  expect(titleOfChat('  Where is it?\nI need it.')).toBe('Where is it?');
  expect(titleOfChat('a'.repeat(500)).length).toBeLessThanOrEqual(120);
  expect(titleOfChat('\u0007')).toBe('Conversation');
  expect(titleOfChat('Authorization: Bearer abcdefgh12345678')).not.toContain('abcdefgh');
});

test('a lane reads its own answers, else the other ones, and none that came to no end', () => {
  const turn = (ordinal: number, lane: number, status = 'completed') =>
    ({ ordinal, lane, status }) as Parameters<typeof chatOfLane>[0][number];
  const turns = [
    ...[turn(0, 0), turn(0, 1), turn(1, 1), turn(2, 0, 'failed')],
    ...[turn(3, 0), turn(3, 1, 'interrupted'), turn(4, 0, 'running')],
  ];
  const read = (lane: number) => chatOfLane(turns, lane).map((one) => [one.ordinal, one.lane]);
  expect(read(0)).toEqual([
    ...[
      [0, 0],
      [1, 1],
      [2, 0],
      [3, 0],
    ],
  ]);
  expect(read(1)).toEqual([
    ...[
      [0, 1],
      [1, 1],
      [2, 0],
      [3, 0],
    ],
  ]);
});
