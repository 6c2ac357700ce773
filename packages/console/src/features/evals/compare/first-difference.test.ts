import { expect, test } from 'vitest';
import type { ConversationTurn } from '../trials/read-conversation.ts';
import { firstDifference } from './first-difference.ts';

const said = (role: string, text: string) => ({ kind: 'said', role, text }) as const;
const call = (name: string, input: object, value: unknown, isError = false) =>
  ({ kind: 'call', name, input, result: { value, isError } }) as const;
const turn = (index: number, ...entries: ConversationTurn['entries']): ConversationTurn => ({
  index,
  entries,
});

const ask = said('user', 'Refund order 17.');

test('another call comes before what follows from it', () => {
  const base = [turn(0, ask, call('settle', { order: 17 }, 'ok'), said('assistant', 'Done.'))];
  const compare = [turn(0, ask, call('track', {}, 'ok'), said('assistant', 'Tracked.'))];
  expect(firstDifference(base, compare)).toEqual({
    base: { turn: 0, entry: 1 },
    compare: { turn: 0, entry: 1 },
    baseWords: 'settle(order: 17) was called',
    compareWords: 'track() was called',
  });
});

test('the same call may come back with something else, whatever the order of its arguments', () => {
  const base = [turn(0, ask, call('settle', { a: 1, b: 2 }, { text: 'ok' }))];
  const compare = [turn(0, ask, call('settle', { b: 2, a: 1 }, { text: 'no' }, true))];
  expect(firstDifference(base, compare)).toMatchObject({
    baseWords: 'settle returned {"text":"ok"}',
    compareWords: 'settle returned {"text":"no"} as an error',
  });
});

test('the same text may be an error in one run, and a result may be missing', () => {
  const base = [turn(0, ask, call('settle', {}, { text: 'no' }))];
  const failed = [turn(0, ask, call('settle', {}, { text: 'no' }, true))];
  expect(firstDifference(base, failed)).toMatchObject({
    baseWords: 'settle returned {"text":"no"}',
    compareWords: 'settle returned {"text":"no"} as an error',
  });
  const silent = [turn(0, ask, { kind: 'call', name: 'settle', input: {}, result: undefined })];
  expect(firstDifference([turn(0, ask, call('settle', {}, null))], silent)).toMatchObject({
    compareWords: 'settle returned nothing',
  });
});

test('one may end before the other, and the same differ nowhere', () => {
  const base = [turn(0, ask), turn(1, said('user', 'And now?'))];
  expect(firstDifference(base, [turn(0, ask)])).toMatchObject({
    base: { turn: 1, entry: 0 },
    compare: undefined,
    baseWords: 'user said “And now?”',
    compareWords: 'nothing more',
  });
  expect(firstDifference(base, structuredClone(base))).toBeUndefined();
  expect(firstDifference([], [])).toBeUndefined();
});
