import { expect, test } from 'vitest';
import { defaultMatchOptions } from '../assertions/match-options.ts';
import { asChosen, isChoiceOpen, type StatedChoice } from './refused-choice.ts';

const call = (toolName: string, notMade?: 'refused' | 'notOffered') => ({
  toolName,
  arguments: {},
  ...(notMade && { notMade }),
});
const prompt = { opener: 'prompt', expected: [] } as const;
const rows = (...assertions: object[]): StatedChoice => ({
  planned: { isNegative: false, matchOptions: defaultMatchOptions },
  turns: [prompt],
  rows: assertions.map((assertion) => ({ assertion })),
});

test('a refused call was chosen, and a call of an unknown tool was not', () => {
  expect(asChosen([call('save', 'refused'), call('gone', 'notOffered'), call('look')])).toEqual([
    call('save'),
    call('gone', 'notOffered'),
    call('look'),
  ]);
});

test('what asks for the call is answered by it, and what forbids one stays open', () => {
  const calls = [call('look'), call('save', 'refused')];
  const asked = { type: 'toolCalledAtLeastOnce', toolName: 'save' };
  expect(isChoiceOpen(rows(asked, { type: 'firstToolWas', toolName: 'look' }), [calls])).toBe(
    false,
  );
  expect(
    isChoiceOpen(rows({ type: 'responseContains', text: 'x' }, { kind: 'look' }), [calls]),
  ).toBe(false);
  for (const open of [
    { type: 'toolCalledAtLeastOnce', toolName: 'other' },
    { type: 'firstToolWas', toolName: 'save' },
    { type: 'toolNeverCalled', toolName: 'save' },
    { type: 'toolNeverCalled', toolName: 'other' },
  ]) {
    expect(isChoiceOpen(rows(open), [calls]), JSON.stringify(open)).toBe(true);
    expect(isChoiceOpen(rows({ ...open, role: 'advisory' }), [calls])).toBe(false);
  }
  expect(isChoiceOpen(rows(asked), [[call('save', 'notOffered')]])).toBe(true);
});

test('an expected call of the whole case is open until its tool was chosen often enough', () => {
  const wanted = { type: 'toolCalledWith', toolName: 'save', args: { args: { day: 1 } } };
  const calls = [call('look'), call('save', 'refused')];
  expect(isChoiceOpen(rows(wanted), [calls])).toBe(false);
  expect(isChoiceOpen(rows({ ...wanted, minCount: 2 }), [calls])).toBe(true);
  expect(isChoiceOpen(rows({ ...wanted, toolName: 'other' }), [calls])).toBe(true);
  expect(isChoiceOpen(rows({ ...wanted, toolName: 'other', role: 'advisory' }), [calls])).toBe(
    false,
  );
});

test('a turn that was not begun leaves open what it asks for and what it forbids', () => {
  const played = [[call('save', 'refused')]];
  const stated = rows();
  const expecting = { ...prompt, expected: [call('look')] };
  const matchOptions = { ...defaultMatchOptions, maxExtraToolCalls: 0 };
  const pinned = { opener: 'toolCall', expected: [] } as const;
  const withTurns = (...turns: StatedChoice['turns']) => ({ ...stated, turns });
  expect(isChoiceOpen(withTurns(expecting), played)).toBe(false);
  expect(isChoiceOpen(withTurns(prompt, prompt), played)).toBe(false);
  expect(isChoiceOpen(withTurns(prompt, expecting), played)).toBe(true);
  for (const planned of [
    { isNegative: true, matchOptions: defaultMatchOptions },
    { isNegative: false, matchOptions },
  ]) {
    expect(isChoiceOpen({ ...withTurns(prompt), planned }, played)).toBe(false);
    expect(isChoiceOpen({ ...withTurns(prompt, prompt), planned }, played)).toBe(true);
    expect(isChoiceOpen({ ...withTurns(prompt, pinned), planned }, played)).toBe(false);
  }
});

test('an assertion of a turn is answered by the calls of that turn alone', () => {
  const assertion = { type: 'toolCalledAtLeastOnce', toolName: 'save' };
  const inTurn = (promptIndex: number): StatedChoice => ({
    ...rows(),
    turns: [prompt, prompt],
    rows: [{ assertion, promptIndex }],
  });
  const played = [[call('save', 'refused')]];
  expect(isChoiceOpen(inTurn(0), played)).toBe(false);
  expect(isChoiceOpen(inTurn(1), played)).toBe(true);
});
