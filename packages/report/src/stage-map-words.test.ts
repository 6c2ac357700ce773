import { rowsShownFirst } from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restOfStageMap, stageMapHeading } from './stage-map-words.ts';

const none = { failed: 0, notGraded: 0, toCome: 0, passed: 0 };

test('only a failed run has a place where it breaks', () => {
  expect(stageMapHeading('failed', { ...none, failed: 1 })).toBe('Where it breaks');
  expect(stageMapHeading('passed', { ...none, failed: 1, passed: 3 })).toBe(
    'Failed trials by stage',
  );
  expect(stageMapHeading('inconclusive', { ...none, failed: 1 })).toBe('Failed trials by stage');
  expect(stageMapHeading(undefined, { ...none, failed: 1 })).toBe('Failed trials by stage');
  expect(stageMapHeading('passed', { ...none, passed: 3 })).toBe('Stages');
});

test.each([
  [{ ...none, failed: 3, passed: 9 }, 3, 'Not shown: 9 passed.'],
  [{ ...none, failed: 8 }, 8, undefined],
  [{ ...none, failed: 11, passed: 1_200 }, 8, 'Not shown: 3 more failed, 1,200 passed.'],
  [
    { failed: 1, notGraded: 2, toCome: 4, passed: 5 },
    2,
    'Not shown: 1 not graded, 4 to come, 5 passed.',
  ],
  [{ ...none, passed: 2 }, 2, undefined],
  [{ ...none, passed: 5 }, 2, 'Not shown: 3 passed.'],
])('%j: the first %i rows, then “%s”', (outcomes, rows, rest) => {
  expect(rowsShownFirst(outcomes)).toBe(rows);
  expect(restOfStageMap(outcomes)).toBe(rest);
});

test('each variant is either shown or counted below', () => {
  const amount = fc.nat({ max: 40 });
  fc.assert(
    fc.property(
      fc.record({ failed: amount, notGraded: amount, toCome: amount, passed: amount }),
      (outcomes) => {
        const total = Object.values(outcomes).reduce((sum, one) => sum + one, 0);
        const numbers = [...(restOfStageMap(outcomes) ?? '').matchAll(/\d+/g)];
        const rest = numbers.reduce((sum, [digits]) => sum + Number(digits), 0);
        expect(Math.min(total, rowsShownFirst(outcomes)) + rest).toBe(total);
      },
    ),
  );
});
