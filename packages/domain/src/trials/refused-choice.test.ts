import { expect, test } from 'vitest';
import { asChosen, isChoiceOpen } from './refused-choice.ts';

const call = (toolName: string, notMade?: 'refused' | 'notOffered') => ({
  toolName,
  arguments: {},
  ...(notMade && { notMade }),
});
const rows = (...assertions: object[]) => assertions.map((assertion) => ({ assertion }));

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
  expect(isChoiceOpen(rows(asked, { type: 'firstToolWas', toolName: 'look' }), calls)).toBe(false);
  expect(isChoiceOpen(rows({ type: 'responseContains', text: 'x' }, { kind: 'look' }), calls)).toBe(
    false,
  );
  for (const open of [
    { type: 'toolCalledAtLeastOnce', toolName: 'other' },
    { type: 'firstToolWas', toolName: 'save' },
    { type: 'toolNeverCalled', toolName: 'save' },
    { type: 'toolNeverCalled', toolName: 'other' },
  ]) {
    expect(isChoiceOpen(rows(open), calls), JSON.stringify(open)).toBe(true);
    expect(isChoiceOpen(rows({ ...open, role: 'advisory' }), calls)).toBe(false);
  }
  expect(isChoiceOpen(rows(asked), [call('save', 'notOffered')])).toBe(true);
});
