import { flakinessOver, resultTurns, summarizeHistory, variantStatistics } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import {
  comparedCaseSentence,
  flakinessSentence,
  historySentences,
  passHatSentence,
  passRateSentence,
} from './statistics-words.ts';

const side = (passedTrials: number, eligibleTrials: number) => ({ passedTrials, eligibleTrials });

const among = (p: number | null, holm: number | null, bh = holm) => ({ p, holm, bh });
const none = among(null, null);

test.each([
  [
    { status: 'regressed', significance: 'outside_noise', ...among(0.0079, 0.0237) },
    [side(5, 5), side(0, 5)],
    'got worse; 0 of 5 passed, before 5 of 5; outside the noise at 5 % (p = 0.024, corrected over 3 cases)',
  ],
  [
    { status: 'fixed', significance: 'outside_noise', ...among(0.0001, 0.0003) },
    [side(0, 9), side(9, 9)],
    'got better; 9 of 9 passed, before 0 of 9; outside the noise at 5 % (p < 0.001, corrected over 3 cases)',
  ],
  [
    { status: 'changed', significance: 'within_noise', ...among(1, 1) },
    [side(5, 5), side(4, 5)],
    'changed; 4 of 5 passed, before 5 of 5; within the noise at 5 % (p = 1, corrected over 3 cases)',
  ],
  [
    { status: 'changed', significance: 'within_noise', ...among(0.03, 0.06, 0.04) },
    [side(9, 9), side(4, 9)],
    'changed; 4 of 9 passed, before 9 of 9; within the noise at 5 % (p = 0.06, corrected over 3 cases); worth reading: of the cases listed so, about one in twenty is chance',
  ],
  [
    { status: 'fixed', significance: 'too_few', ...among(1, 1) },
    [side(0, 1), side(1, 1)],
    'passes now, failed before; 1 of 1 passed, before 0 of 1',
  ],
  [
    { status: 'regressed', significance: 'too_few', ...among(1, 1) },
    [side(1, 1), side(0, 1)],
    'fails now, passed before; 0 of 1 passed, before 1 of 1',
  ],
  [
    { status: 'regressed', significance: 'too_few', ...among(1, 1) },
    [side(3, 3), side(1, 3)],
    'fails now, passed before; 1 of 3 passed, before 3 of 3; too few trials to rule out chance, corrected over 3 cases',
  ],
  [
    { status: 'changed', significance: 'too_few', ...none },
    [side(0, 0), side(1, 1)],
    'changed; 1 of 1 passed, before no graded trial; too few trials to rule out chance',
  ],
  [
    { status: 'new_case', significance: 'too_few', ...none },
    [side(0, 0), side(3, 4)],
    'is new; 3 of 4 passed',
  ],
  [
    { status: 'removed_case', significance: 'too_few', ...none },
    [side(3, 4), side(0, 0)],
    'is not in this run; 3 of 4 passed before',
  ],
] as const)('%o', (row, [base, compare], expected) => {
  expect(comparedCaseSentence({ ...row, base, compare }, 3)).toBe(expected);
});

test.each([
  [{ passed: 8, failed: 2 }, '8 of 10 graded trials passed, 95 % interval 49 % to 94.3 %.'],
  [{ passed: 5, failed: 0 }, '5 of 5 graded trials passed, 95 % interval 56.6 % to 100 %.'],
  [{ passed: 0, failed: 1 }, '0 of 1 graded trial passed, 95 % interval 0 % to 79.3 %.'],
  [{ passed: 0, failed: 0 }, 'No trial was graded.'],
])('the pass rate of %o', (graded, expected) => {
  expect(passRateSentence(variantStatistics(graded, { k: null }))).toBe(expected);
});

test('the pass rate of a run beside a history is told without an interval', () => {
  const passRateInterval = { confidence: 0.95, method: 'anyTime', lower: 0.1, upper: 0.9 } as const;
  const rated = { passedTrials: 1, eligibleTrials: 2, passRateInterval };
  expect(passRateSentence(rated)).toBe('1 of 2 graded trials passed.');
});

const times = (passed: number, failed: number) =>
  resultTurns([
    ...new Array<boolean>(failed).fill(false),
    ...new Array<boolean>(passed).fill(true),
  ]);
const past = (results: ReturnType<typeof times>, threshold: number | null, more = {}) =>
  historySentences(
    summarizeHistory({ runs: 3, results, isRegressed: false, ...more }, threshold),
    'local/one',
  );

describe('what a history says', () => {
  test('while the threshold is open', () => {
    expect(past(times(8, 0), 0.9)).toEqual([
      'History: 8 of 8 graded trials passed over 3 runs with the same content, model and tools; 95 % any-time interval 52.6 % to 100 %, valid at every look.',
      'It is still open whether it reaches the required 90 % (e-value 1.6; 20 decides at 5 %). The command proofmark eval plan SUITE --drop 0.1 shows how many trials a decision needs.',
    ]);
  });

  test.each([null, 'proofmark/lexical-1'])(
    'on the model %s, which a plan would play once, without naming a plan',
    (model) => {
      const history = summarizeHistory({ runs: 3, results: times(8, 0), isRegressed: false }, 0.9);
      expect(historySentences(history, model).at(-1)).toBe(
        'It is still open whether it reaches the required 90 % (e-value 1.6; 20 decides at 5 %).',
      );
    },
  );

  test('of a flaky case below its threshold', () => {
    expect(past(times(30, 10), 0.9).slice(1)).toEqual([
      'Below the required 90 % since trial 2 (e-value over 1,000; 20 decides at 5 %).',
      'Flaky: these results fit neither a case that passes nearly always (98 %) nor one that fails nearly always, at 5 % each.',
    ]);
  });

  test('of a steady one above it', () => {
    expect(past(times(60, 0), 0.8).slice(1)).toEqual([
      'Above the required 80 % since trial 20 (e-value over 1,000; 20 decides at 5 %).',
      'Steady: its last 59 graded trials all passed.',
    ]);
  });

  test('names a regression before flakiness', () => {
    const [sentence, ...more] = past(times(30, 10), null, { isRegressed: true }).slice(1);
    expect(sentence).toMatch(/^Regressed: with other tools, other content or another model/);
    expect(more).toEqual([]);
  });

  test('where no rate explains all trials', () => {
    const fell = new Array<boolean>(200).fill(true).fill(false, 100);
    expect(past(resultTurns(fell), null)[0]).toContain(
      'no single pass rate explains all of them, so the rate changed over time',
    );
  });

  test('of one run, without repeating its counts', () => {
    expect(past(times(4, 0), null, { runs: 1 })).toEqual([]);
    expect(past(times(0, 0), 0.9, { runs: 0 })).toEqual([]);
  });
});

test.each([
  [{ passed: 8, failed: 2 }, 3, 'Chance that 3 trials all pass: 46.7 %.'],
  [{ passed: 2, failed: 0 }, 3, 'Chance that 3 trials all pass: not known, only 2 graded.'],
  [{ passed: 0, failed: 0 }, 1, 'Chance that 1 trial all pass: not known, none was graded.'],
])('pass^k of %o for %d', (graded, k, expected) => {
  expect(passHatSentence(k, variantStatistics(graded, { k }))).toBe(expected);
});

const run = (passed: number, failed: number) => ({ passed, failed });
test.each([
  [[], 'No run with the same tools has a graded trial of it.'],
  [[run(1, 0)], 'With the same tools it was graded only once, which says nothing about flakiness.'],
  [[run(2, 0), run(3, 0)], 'All of 5 graded trials passed over 2 runs with the same tools.'],
  [[run(0, 2)], 'All of 2 graded trials failed over 1 run with the same tools.'],
  [
    [run(2, 0), run(1, 1), run(0, 2)],
    'Mixed: 3 of 6 graded trials passed over 3 runs with the same tools; 1 run had both results, changed sides 1 time between runs.',
  ],
])('%o', (runs, expected) => {
  expect(flakinessSentence(flakinessOver(runs))).toBe(expected);
});
