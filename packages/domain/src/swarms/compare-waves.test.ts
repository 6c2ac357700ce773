import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedSession, compareWaves } from './compare-waves.ts';

const role = 'gating' as const;
const rubric = [{ id: 'c', predicate: { type: 'noToolErrors' }, role }];

function sessionOf(passed: boolean, more: Partial<ComparedSession> = {}): ComparedSession {
  return {
    journeyId: 'j',
    targetId: 't',
    goal: 'Book',
    persona: { name: 'Ann' },
    rubric,
    personaModel: 'proofmark/scripted-user-1',
    criteria: [{ criterionId: 'c', passed, reason: '' }],
    transcriptHash: null,
    ...more,
  };
}

function many(passed: number, of: number, more: Partial<ComparedSession> = {}) {
  return Array.from({ length: of }, (_, index) => sessionOf(index < passed, more));
}

test('rates are compared as those of runs are', () => {
  const rows = [
    [10, 10, 5, 10, 'regression'],
    [50, 50, 45, 50, 'regression'],
    [9, 10, 8, 10, 'no_regression'],
    [5, 10, 10, 10, 'no_regression'],
    [4, 4, 0, 4, 'insufficient_data'],
  ] as const;
  for (const [was, before, is, now, outcome] of rows) {
    const { rows, notComparable } = compareWaves(many(was, before), many(is, now));
    expect(notComparable).toEqual([]);
    expect(rows.map((row) => row.outcome)).toEqual([outcome]);
    expect(rows[0]?.difference === null).toBe(outcome === 'insufficient_data');
  }
  const [row] = compareWaves(many(10, 10), many(5, 10)).rows;
  expect(row?.difference?.lower).toBeCloseTo(-0.763407, 6);
  expect(row?.difference?.upper).toBeCloseTo(-0.117367, 6);
  expect(row?.base).toEqual({ passed: 10, graded: 10, rate: 1 });
});

/** Sessions with one criterion for each pass count. */
function withCriteria(of: number, passed: readonly number[]) {
  const ids = passed.map((_, at) => `c${at}`);
  const rubricOfAll = ids.map((id) => ({ id, predicate: { type: 'noToolErrors' }, role }));
  return Array.from({ length: of }, (_, index) =>
    sessionOf(true, {
      rubric: rubricOfAll,
      criteria: ids.map((criterionId, at) => {
        return { criterionId, passed: index < (passed[at] ?? 0), reason: '' };
      }),
    }),
  );
}

test('among several comparisons a fall must remain after the correction for their number', () => {
  const compared = (before: readonly number[], now: readonly number[]) =>
    compareWaves(withCriteria(10, before), withCriteria(10, now)).rows;
  const outcomes = (rows: ReturnType<typeof compared>) => rows.map(({ corrected }) => corrected);
  // Alone, 5 of 10 after 10 of 10 is a regression: its chance is 0.033.
  expect(compared([10], [5])).toMatchObject([{ outcome: 'regression', corrected: 'regression' }]);
  const two = compared([10, 10], [5, 10]);
  expect(outcomes(two)).toEqual(['no_regression', 'no_regression']);
  expect(two.map(({ outcome }) => outcome)).toEqual(['regression', 'no_regression']);
  expect(two[0]?.holm).toBeCloseTo(2 * 0.0325077, 6);
  expect(two[0]?.difference?.upper).toBeLessThan(0);
  expect(outcomes(compared([10, 10], [1, 10]))).toEqual(['regression', 'no_regression']);
  // Holm corrects the second smallest chance for one comparison less.
  expect(outcomes(compared([10, 10], [0, 5]))).toEqual(['regression', 'regression']);
  expect(outcomes(compared([0, 10], [10, 10]))).toEqual(['no_regression', 'no_regression']);
});

test('so many comparisons that no fall could be found have too few sessions', () => {
  const passed = Array.from({ length: 20 }, () => 5);
  const { rows } = compareWaves(withCriteria(5, passed), withCriteria(5, passed.with(0, 0)));
  expect(new Set(rows.map(({ corrected }) => corrected))).toEqual(new Set(['insufficient_data']));
});

test('of 100 unchanged criteria, one is rarely called worse', () => {
  let seed = 7;
  const chance = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  const wave = () => {
    const ids = Array.from({ length: 100 }, (_, at) => `c${at}`);
    const rubricOfAll = ids.map((id) => ({ id, predicate: { type: 'noToolErrors' }, role }));
    return Array.from({ length: 20 }, () =>
      sessionOf(true, {
        rubric: rubricOfAll,
        criteria: ids.map((criterionId) => ({ criterionId, passed: chance() < 0.8, reason: '' })),
      }),
    );
  };
  const worse = Array.from({ length: 20 }, () => compareWaves(wave(), wave()).rows).filter((rows) =>
    rows.some(({ corrected }) => corrected === 'regression'),
  );
  expect(worse.length).toBeLessThanOrEqual(2);
});

test('equal transcripts of a target count once', () => {
  const copies = many(0, 10, { transcriptHash: 'same' });
  const [row] = compareWaves(many(10, 10), copies).rows;
  expect(row?.current).toEqual({ passed: 0, graded: 1, rate: 0 });
  expect(row?.outcome).toBe('insufficient_data');
});

test('a journey that was asked otherwise, or not at all, is not compared; of a criterion that changed no row is made', () => {
  const base = many(5, 5);
  const changed = [
    [many(5, 5, { goal: 'Cancel' }), 'goal_changed'],
    [many(5, 5, { persona: { name: 'Bob' } }), 'persona_changed'],
    [many(5, 5, { personaModel: 'local/small' }), 'persona_changed'],
    [[], 'missing'],
  ] as const;
  for (const [current, reason] of changed) {
    expect(compareWaves(base, current)).toEqual({
      rows: [],
      notComparable: [{ journeyId: 'j', reason, decides: true }],
    });
  }
  const two = [...rubric, { id: 'd', predicate: { type: 'turnCountUnder', count: 3 }, role }];
  const other = [{ id: 'c', predicate: { type: 'firstToolWas' }, role }];
  for (const [now, criterionId] of [
    [two, 'd'],
    [other, 'c'],
  ] as const) {
    const { rows, notComparable } = compareWaves(base, many(5, 5, { rubric: now }));
    expect(notComparable).toEqual([
      { journeyId: 'j', reason: 'criterion_changed', criterionId, decides: criterionId === 'c' },
    ]);
    expect(rows.length).toBe(criterionId === 'd' ? 1 : 0);
  }
});

test('what could not be compared decides where the base wave was gated by it', () => {
  const advisory = rubric.map((one) => ({ ...one, role: 'advisory' as const }));
  const decides = (...waves: Parameters<typeof compareWaves>) =>
    compareWaves(...waves).notComparable.map((one) => one.decides);
  expect(decides(many(5, 5), [])).toEqual([true]);
  expect(decides([], many(5, 5))).toEqual([false]);
  expect(decides(many(5, 5, { rubric: advisory }), [])).toEqual([false]);
  expect(decides(many(5, 5), many(5, 5, { rubric: [] }))).toEqual([true]);
  expect(decides(many(5, 5, { rubric: advisory }), many(5, 5, { rubric: [] }))).toEqual([false]);
});

test('targets are told apart, and one that only one wave has is no regression', () => {
  const base = [...many(5, 5), ...many(5, 5, { targetId: 'u' })];
  const { rows } = compareWaves(base, many(5, 5));
  expect(rows.map(({ targetId, outcome, current }) => [targetId, outcome, current.rate])).toEqual([
    ['t', 'no_regression', 1],
    ['u', 'insufficient_data', null],
  ]);
});

test('the order of sessions changes nothing, and no side counts more than it has', () => {
  const anySession = fc.record({
    journeyId: fc.constantFrom('j', 'k'),
    targetId: fc.constantFrom('t', 'u'),
    passed: fc.boolean(),
  });
  const anySide = fc.array(anySession, { maxLength: 15 });
  fc.assert(
    fc.property(anySide, anySide, (was, is) => {
      const [base, current] = [was, is].map((side) =>
        side.map(({ passed, ...more }) => sessionOf(passed, more)),
      ) as [ComparedSession[], ComparedSession[]];
      const compared = compareWaves(base, current);
      expect(compareWaves(base.toReversed(), current.toReversed())).toEqual(compared);
      const counted = compared.rows.reduce((sum, row) => sum + row.current.graded, 0);
      expect(counted).toBeLessThanOrEqual(current.length);
    }),
  );
});
