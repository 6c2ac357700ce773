import { expect, test } from 'vitest';
import { evidenceToShow, isEvidentCheck, isEvidentTurn } from './stage-evidence.ts';

const rows = [
  { stage: 'connection', state: 'passed', evidence: { spanIds: ['s0'] } },
  {
    ...{ stage: 'selection', state: 'failed' },
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
