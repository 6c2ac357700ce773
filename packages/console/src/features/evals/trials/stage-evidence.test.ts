import { expect, test } from 'vitest';
import { evidenceToShow, isEvidentCall, isEvidentCheck, isEvidentTurn } from './stage-evidence.ts';

const rows = [
  { stage: 'connection', state: 'passed', evidence: { spanIds: ['s0'] } },
  {
    stage: 'selection',
    state: 'failed',
    evidence: { spanIds: ['s1'], promptIndexes: [1], predicateReasons: ['It was not called.'] },
  },
] as const;
const given = rows.map((row) => ({ ...row })) as never;

test('the evidence of the failed stage is shown, or of the one that the address names', () => {
  expect(evidenceToShow(given, '')).toMatchObject({ stage: 'selection', spanIds: ['s1'] });
  expect(evidenceToShow(given, 'stage-connection')).toMatchObject({ spanIds: ['s0'], turns: [] });
  expect(evidenceToShow(given, 'span-s0')?.stage).toBe('selection');
  expect(evidenceToShow([], '')).toBeUndefined();
});

test('a turn stands for a call that it does not have, and a check for what it said', () => {
  const shown = evidenceToShow(given, '');
  expect(isEvidentTurn(shown, 1, [undefined])).toBe(true);
  expect(isEvidentTurn(shown, 1, ['s1'])).toBe(false);
  expect(isEvidentTurn(shown, 0, [])).toBe(false);
  expect(isEvidentCheck(shown, 'It was not called. At all.')).toBe(true);
  expect(isEvidentCheck(shown, 'Something else.')).toBe(false);
  expect(isEvidentCheck(undefined, 'It was not called.')).toBe(false);
});

test('a call is known by its span, else by having given no result', () => {
  const shown = evidenceToShow(given, '');
  expect(isEvidentCall(shown, { spanId: 's1' })).toBe(true);
  expect(isEvidentCall(shown, { result: { isError: true } })).toBe(false);
  const bare = evidenceToShow([{ stage: 'response', state: 'failed' }] as never, '');
  expect(isEvidentCall(bare, { result: { isError: true } })).toBe(true);
  expect(isEvidentCall(bare, {})).toBe(true);
  expect(isEvidentCall(bare, { spanId: 's1', result: { isError: false } })).toBe(false);
  const passed = evidenceToShow(
    [{ stage: 'response', state: 'passed' }] as never,
    'stage-response',
  );
  expect(isEvidentCall(passed, { result: { isError: true } })).toBe(false);
});
