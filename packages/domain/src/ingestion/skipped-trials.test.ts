import { describe, expect, test } from 'vitest';
import type { AlikeTrials } from './alike-trials.ts';
import { decideReportedRun } from './decide-reported-run.ts';
import { resolveTerms } from './run-terms.ts';
import { type SkippedRule, skippedRules } from './skipped-trials.ts';

const outcomes = {
  p: { status: 'completed', result: 'passed' },
  f: { status: 'completed', result: 'failed' },
  s: { status: 'skipped', result: null },
} as const;

/** Each letter is the result of one test: passed, failed or skipped. */
function endOf(letters: string, skipped: SkippedRule | undefined, minimumPassRate?: number) {
  const trials = [...letters].map(
    (letter, index): AlikeTrials => ({
      caseKey: `external:${index}`,
      declaredId: `case-${index}`,
      model: null,
      provider: null,
      ...outcomes[letter as keyof typeof outcomes],
      evaluatorError: false,
      count: 1,
    }),
  );
  const terms = resolveTerms({ passCriteria: { minimumPassRate }, skipped });
  return decideReportedRun(terms, trials, letters.length, (text) => text);
}

test.each<[string, SkippedRule | undefined, number, string | null]>([
  ['pps', undefined, 100, 'failed'],
  ['pps', 'ignore', 100, 'passed'],
  ['pps', 'fail', 100, 'failed'],
  ['pps', 'inconclusive', 100, null],
  ['pps', 'inconclusive', 60, 'passed'],
  ['pfs', 'ignore', 60, 'failed'],
  ['pfs', 'inconclusive', 60, null],
  ['pfs', 'inconclusive', 100, 'failed'],
  ['fps', 'fail', 30, 'passed'],
  ['ppp', 'inconclusive', 100, 'passed'],
  ['sss', 'ignore', 0, null],
  ['sss', 'inconclusive', 0, null],
  ['sss', 'fail', 0, 'passed'],
])('%s with %s at %i %% is %s', (letters, skipped, percent, result) => {
  const end = endOf(letters, skipped, percent);
  expect(end.result).toBe(result);
  expect(end.integrityError === undefined).toBe(result !== null);
  expect(end.counts.total).toBe(letters.length);
});

test('why there is no verdict is told with what it depends on', () => {
  expect(endOf('pps', 'inconclusive', 100).integrityError).toBe(
    '1 of 3 tests was skipped, and its result would decide whether 100 % pass.',
  );
});

test.each<[string, SkippedRule | undefined, string | undefined]>([
  ['pps', undefined, 'inconclusive'],
  ['pps', 'inconclusive', 'inconclusive'],
  ['pps', 'ignore', 'passed'],
  ['pfs', 'ignore', 'failed'],
  ['pps', 'fail', 'failed'],
  ['ss', 'fail', 'failed'],
  ['ss', 'ignore', undefined],
])('%s with %s under policy v2 is %s', (letters, skipped, verdict) => {
  expect(endOf(letters, skipped).decision?.verdict).toBe(verdict);
});

test('without a skipped test no rule changes anything', () => {
  for (const letters of ['ppp', 'ppf', 'f']) {
    for (const percent of [undefined, 0, 50, 100]) {
      for (const skipped of skippedRules) {
        expect(endOf(letters, skipped, percent)).toEqual(endOf(letters, undefined, percent));
      }
    }
  }
});

describe('where a suite declares three trials of a case', () => {
  /** Decides a run of one case. A capital letter is a trial on another model. */
  function endOfCase(letters: string, skipped: SkippedRule | undefined) {
    const trials = [...letters].map((letter): AlikeTrials => {
      const model = letters.toLowerCase() === letters ? null : letter < 'a' ? 'large' : 'small';
      return {
        caseKey: 'external:a',
        declaredId: 'a',
        model,
        provider: null,
        ...outcomes[letter.toLowerCase() as keyof typeof outcomes],
        evaluatorError: false,
        count: 1,
      };
    });
    const declared = { repetitions: 3, cases: {} };
    return decideReportedRun(resolveTerms({ skipped }), trials, null, (text) => text, declared);
  }
  const shown = (letters: string, skipped: SkippedRule | undefined) =>
    endOfCase(letters, skipped).decision?.cases.map(({ configuredTrials, verdict, passRate }) => [
      ...[configuredTrials, passRate.exclusions.notTerminal ?? 0, verdict],
    ]);

  test.each<[string, SkippedRule | undefined, [number, number, string][]]>([
    ['pps', 'ignore', [[2, 0, 'passed']]],
    ['pss', 'ignore', [[1, 0, 'passed']]],
    ['pfs', 'ignore', [[2, 0, 'failed']]],
    // One declared trial was never reported.
    ['ps', 'ignore', [[2, 1, 'passed']]],
    ['p', 'ignore', [[3, 2, 'passed']]],
    // More trials were reported than the suite declares.
    ['pppss', 'ignore', [[3, 0, 'passed']]],
    ['pps', undefined, [[3, 0, 'passed']]],
    ['ps', 'fail', [[3, 1, 'failed']]],
    // Two models are counted separately.
    [
      'ppsPPP',
      'ignore',
      [
        [3, 0, 'passed'],
        [2, 0, 'passed'],
      ],
    ],
  ])('%s with %s comes to %j', (letters, skipped, cases) => {
    expect(shown(letters, skipped)).toEqual(cases);
  });

  test('the run passes by the trials that are not ignored', () => {
    expect(endOfCase('pps', 'ignore').result).toBe('passed');
    expect(endOfCase('ps', 'ignore').result).toBeNull();
  });

  test('of which all are ignored nothing is decided, and the reason is said', () => {
    expect(endOfCase('sss', 'ignore')).toMatchObject({
      result: null,
      integrityError: 'Every test of this report was skipped.',
    });
  });
});
