import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseHistories, caseMark, caseOfRow } from './case-history.ts';

test.each([
  [{ passed: 3, failed: 0 }, 'passed'],
  [{ passed: 0, failed: 1 }, 'failed'],
  [{ passed: 2, failed: 1 }, 'mixed'],
  [{ passed: 0, failed: 0 }, 'notMeasured'],
] as const)('%j is %s', (counts, mark) => {
  expect(caseMark(counts)).toBe(mark);
});

test('a row belongs to its case, and a case whose id only looks a little like one does not', () => {
  expect(caseOfRow('cas_1-0123456789ab')).toBe('cas_1');
  expect(caseOfRow('cas_1-0123456789')).toBe('cas_1-0123456789');
  expect(caseOfRow('cas_1')).toBe('cas_1');
});

describe('the history of cases', () => {
  test('has a mark for each run a case was in, over its models and rows', () => {
    const counted = [
      { caseId: 'cas_1', runId: 'b', passed: 1, failed: 0, notGraded: 0 },
      { caseId: 'cas_1', runId: 'a', passed: 0, failed: 2, notGraded: 1 },
      { caseId: 'cas_1-0123456789ab', runId: 'b', passed: 0, failed: 1, notGraded: 0 },
      { caseId: null, runId: 'b', passed: 5, failed: 5, notGraded: 0 },
      { caseId: 'cas_2', runId: 'b', passed: 0, failed: 0, notGraded: 2 },
    ];
    expect(caseHistories(['a', 'b'], counted, ['cas_1-0123456789ab'])).toEqual([
      {
        caseId: 'cas_1',
        marks: [
          { runId: 'a', passed: 0, failed: 2, notGraded: 1, mark: 'failed' },
          { runId: 'b', passed: 1, failed: 1, notGraded: 0, mark: 'mixed' },
        ],
        isFlaky: true,
      },
      {
        caseId: 'cas_2',
        marks: [{ runId: 'b', passed: 0, failed: 0, notGraded: 2, mark: 'notMeasured' }],
        isFlaky: false,
      },
    ]);
  });

  test('keeps the order of the runs and loses no trial, in whatever order they were counted', () => {
    const runIds = ['a', 'b', 'c', 'd'];
    const row = fc.record({
      caseId: fc.constantFrom('one', 'two', 'one-0123456789ab'),
      runId: fc.constantFrom(...runIds),
      passed: fc.nat(9),
      failed: fc.nat(9),
      notGraded: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(row), (counted) => {
        const histories = caseHistories(runIds, counted, []);
        const marks = histories.flatMap((one) => one.marks);
        const total = (all: readonly { passed: number; failed: number; notGraded: number }[]) =>
          all.reduce((sum, { passed, failed, notGraded }) => sum + passed + failed + notGraded, 0);
        expect(total(marks)).toBe(total(counted));
        for (const { marks: own } of histories) {
          const places = own.map(({ runId }) => runIds.indexOf(runId));
          expect(places).toEqual([...places].sort((one, other) => one - other));
          expect(new Set(places).size).toBe(places.length);
        }
      }),
    );
  });
});
