import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedTrials, compareCases as compareAll } from './compare-cases.ts';
import { compareCaseScores, compareScorers, type ScoreTotals } from './compare-scores.ts';
import { numericDiff } from './numeric-diff.ts';

function compareCases(base: readonly ComparedTrials[], compare: readonly ComparedTrials[]) {
  return compareAll(base, compare).cases;
}

function trials(
  caseKey: string,
  results: string,
  more: Partial<ComparedTrials> = {},
): ComparedTrials {
  const letters = [...results];
  const ids = letters.map((_, at) => `${caseKey}${at}`);
  const at = letters.findIndex((letter) => letter !== 'p');
  return {
    caseKey,
    title: caseKey,
    passed: letters.filter((letter) => letter === 'p').length,
    failed: letters.filter((letter) => letter === 'f').length,
    iterationIds: ids,
    firstNotPassed: ids[at] ?? null,
    error: at < 0 ? null : 'why',
    config: 'c',
    evaluationConfig: 'e',
    ...more,
  };
}

test.each([
  ['pp', 'p', 'unchanged_passed', 'passed', 'passed'],
  ['f', 'ff', 'unchanged_failed', 'failed', 'failed'],
  ['pp', 'ff', 'regressed', 'passed', 'failed'],
  ['ff', 'pp', 'fixed', 'failed', 'passed'],
  ['pf', 'pp', 'changed', 'failed', 'passed'],
  ['pp', 'pf', 'changed', 'passed', 'failed'],
  ['??', 'pp', 'changed', 'absent', 'passed'],
  ['p?', 'ff', 'regressed', 'passed', 'failed'],
])('%s to %s is %s', (before, now, status, base, compare) => {
  const [one] = compareCases([trials('a', before)], [trials('a', now)]);
  expect(one).toMatchObject({ status, base: { outcome: base }, compare: { outcome: compare } });
});

test.each([
  // 4 of 5 trials reach a threshold of 0.8, so the decision says passed.
  ['ppppp', 'passed', 'ppppf', 'passed', 'unchanged_passed'],
  ['ppppp', 'passed', 'pffff', 'failed', 'regressed'],
  ['pffff', 'failed', 'ppppf', 'passed', 'fixed'],
  ['ppp', 'passed', 'ppf', 'failed', 'regressed'],
  ['ppp', 'passed', '???', undefined, 'changed'],
  // Without a decision, a case counts as regressed or fixed only if the difference is larger than
  // chance.
  ['ppppp', undefined, 'pffff', undefined, 'regressed'],
  ['pffff', undefined, 'ppppp', undefined, 'fixed'],
  ['ppppp', undefined, 'ppppf', undefined, 'changed'],
] as const)('%s (%s) to %s (%s) is %s', (before, was, now, is, status) => {
  const [one] = compareCases(
    [trials('a', before, { verdict: was })],
    [trials('a', now, { verdict: is })],
  );
  expect(one?.status).toBe(status);
  if (is !== undefined) expect(one?.compare.outcome).toBe(is);
});

test.each([
  ['pppp', 'ffff', 'outside_noise'],
  ['ppppp', 'ppfff', 'within_noise'],
  ['ppppp', 'ppppp', 'within_noise'],
  ['ppp', 'fff', 'too_few'],
  // Trials that were not graded do not count.
  ['pppp', 'fff?????', 'outside_noise'],
  ['pppp', 'ff??????', 'too_few'],
])('%s to %s is %s', (before, now, significance) => {
  const [one] = compareCases([trials('a', before)], [trials('a', now)]);
  expect(one?.significance).toBe(significance);
});

test('a change outside the noise alone is within it among other cases', () => {
  const drop = [trials('a', 'pppppp'), trials('a', 'ffffff')] as const;
  const others = Array.from({ length: 30 }, (_, at) => trials(`other${at}`, 'pppppp'));
  const alone = compareAll([drop[0]], [drop[1]]);
  expect(alone).toMatchObject({ correction: { cases: 1 }, cases: [{ status: 'regressed' }] });
  expect(alone.cases[0]).toMatchObject({ significance: 'outside_noise' });
  const among = compareAll([drop[0], ...others], [drop[1], ...others, trials('new', 'p')]);
  expect(among.correction.cases).toBe(31);
  expect(among.cases[0]).toMatchObject({ significance: 'too_few', p: alone.cases[0]?.p });
  expect(among.cases.at(-1)).toMatchObject({ status: 'new_case', p: null, holm: null, bh: null });
});

test('outside the noise is exactly what Holm leaves at 5 %, for any order of the cases', () => {
  const anyCounts = fc.array(fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12), fc.nat(12)), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyCounts, (all) => {
      const side = (at: 0 | 2) =>
        all.map((row, index) =>
          trials(`c${index}`, '', { passed: row[at] ?? 0, failed: row[at + 1] ?? 0 }),
        );
      const found = compareAll(side(0), side(2));
      const turned = compareAll(side(0).reverse(), side(2).reverse());
      const back = new Map(turned.cases.map((one) => [one.caseKey, one]));
      for (const one of found.cases) {
        const isOutside = one.holm !== null && one.holm <= 0.05 + 1e-9;
        expect(one.significance === 'outside_noise').toBe(isOutside);
        expect(back.get(one.caseKey)?.significance).toBe(one.significance);
        expect(back.get(one.caseKey)?.holm ?? -1).toBeCloseTo(one.holm ?? -1, 12);
      }
      expect(turned.paired?.difference ?? 0).toBeCloseTo(found.paired?.difference ?? 0, 12);
      expect(turned.paired?.p ?? -1).toBeCloseTo(found.paired?.p ?? -1, 9);
    }),
  );
});

test('a case that only one run has rests on too few trials, and its sides are counted', () => {
  const [one] = compareCases([], [trials('a', 'ppf?')]);
  expect(one).toMatchObject({
    status: 'new_case',
    significance: 'too_few',
    base: { passedTrials: 0, eligibleTrials: 0 },
    compare: { passedTrials: 2, eligibleTrials: 3 },
  });
});

test('a case of one run only is new or removed, and comes where it stood', () => {
  const compared = compareCases(
    [trials('gone', 'p'), trials('kept', 'p')],
    [trials('new', 'f'), trials('kept', 'p')],
  );
  expect(compared.map(({ caseKey, status }) => [caseKey, status])).toEqual([
    ['new', 'new_case'],
    ['kept', 'unchanged_passed'],
    ['gone', 'removed_case'],
  ]);
  expect(compared[0]).toMatchObject({
    base: { outcome: 'absent', iterationIds: [], representativeIterationId: null, error: null },
    compare: { representativeIterationId: 'new0', error: 'why' },
  });
});

test('the trial that speaks for a side is the first that did not pass, else the first', () => {
  const [one] = compareCases([trials('a', 'ppp')], [trials('a', 'ppf')]);
  expect(one?.base.representativeIterationId).toBe('a0');
  expect(one?.compare.representativeIterationId).toBe('a2');
});

test('a content that is not known on both sides is not called changed', () => {
  const changed = (base: string | null, compare: string | null) =>
    compareCases([trials('a', 'p', { config: base })], [trials('a', 'p', { config: compare })])[0]
      ?.configChanged;
  expect([changed('x', 'y'), changed('x', 'x'), changed(null, 'y'), changed('x', null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('comparing a run with itself finds nothing new, removed, regressed or fixed', () => {
  const anyTrials = fc.uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.stringMatching(/^[pf?]{1,4}$/)),
    {
      selector: ([key]) => key,
    },
  );
  fc.assert(
    fc.property(anyTrials, (all) => {
      const side = all.map(([key, results]) => trials(key, results));
      for (const { status } of compareCases(side, side)) {
        expect(['unchanged_passed', 'unchanged_failed', 'changed']).toContain(status);
      }
    }),
  );
});

test('turned around, what regressed is fixed and what is new was removed', () => {
  const turned = {
    regressed: 'fixed',
    fixed: 'regressed',
    new_case: 'removed_case',
    removed_case: 'new_case',
  };
  const anySide = fc.uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.stringMatching(/^[pf?]{1,3}$/)),
    {
      selector: ([key]) => key,
    },
  );
  fc.assert(
    fc.property(anySide, anySide, (one, other) => {
      const base = one.map(([key, results]) => trials(key, results));
      const compare = other.map(([key, results]) => trials(key, results));
      const back = new Map(
        compareCases(compare, base).map(({ caseKey, status }) => [caseKey, status]),
      );
      for (const { caseKey, status } of compareCases(base, compare)) {
        expect(back.get(caseKey)).toBe(turned[status as keyof typeof turned] ?? status);
      }
    }),
  );
});

test.each([
  [2, 3, 1, 50],
  [4, 3, -1, -25],
  [0, 3, 3, null],
  [0, 0, 0, null],
  [null, 3, null, null],
  [2, null, null, null],
])('from %s to %s it is %s, in percent %s', (base, compare, delta, percentDelta) => {
  expect(numericDiff(base, compare)).toEqual({ base, compare, delta, percentDelta });
});

test('scorers are compared by what was scored, and an unlike definition is told', () => {
  const totals = (scorerId: string, more: Partial<ScoreTotals> = {}): ScoreTotals => ({
    scorerId,
    gating: true,
    deterministic: true,
    definitionHash: 'h',
    scored: 4,
    passed: 2,
    sum: 3,
    errors: 1,
    ...more,
  });
  const [gone, same] = compareScorers(
    [totals('s'), totals('a')],
    [totals('s', { definitionHash: 'i', passed: 4, sum: 4, errors: 0 })],
  );
  expect(gone).toMatchObject({
    scorerId: 'a',
    definitionChanged: false,
    passRate: { base: 0.5, compare: null },
  });
  expect(same).toMatchObject({
    definitionChanged: true,
    passRate: { base: 0.5, compare: 1 },
    meanValue: { base: 0.75, compare: 1 },
    errorCount: { base: 1, compare: 0 },
  });
  const [delta] = compareCaseScores([totals('s', { scored: 0, errors: 1 })], []);
  expect(delta).toMatchObject({ base: { value: null, status: 'error' }, compare: null });
});
