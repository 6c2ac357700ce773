import { flakinessOver, variantStatistics } from '@proofmark/domain';
import { expect, test } from 'vitest';
import {
  comparedCaseSentence,
  flakinessSentence,
  moreTrialsSentence,
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
    'passes now, failed before; 1 of 1 passed, before 0 of 1; too few trials to tell from chance, corrected over 3 cases',
  ],
  [
    { status: 'changed', significance: 'too_few', ...none },
    [side(0, 0), side(1, 1)],
    'changed; 1 of 1 passed, before no graded trial; too few trials to tell from chance',
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
  [
    { passed: 8, failed: 2 },
    0.9,
    '8 of 10 graded trials passed, 95 % interval 49 % to 94.3 %.',
    'Not sure yet whether 90 % pass: about 25 more trials would tell, if they pass as often.',
  ],
  [
    { passed: 5, failed: 0 },
    1,
    '5 of 5 graded trials passed, 95 % interval 56.6 % to 100 %.',
    'Not sure whether 100 % pass, and no number up to 100 more trials would tell.',
  ],
  [
    { passed: 0, failed: 1 },
    1,
    '0 of 1 graded trial passed, 95 % interval 0 % to 79.3 %.',
    'With 95 % confidence, fewer than the required 100 % pass.',
  ],
  [
    { passed: 9, failed: 0 },
    0.5,
    '9 of 9 graded trials passed, 95 % interval 70.1 % to 100 %.',
    'With 95 % confidence, at least the required 50 % pass.',
  ],
])('%o against %d', (graded, passThreshold, rate, more) => {
  const told = variantStatistics(graded, { passThreshold, k: null });
  expect(passRateSentence(told)).toBe(rate);
  expect(moreTrialsSentence(told.moreTrials as never, passThreshold)).toBe(more);
});

test.each([
  [{ passed: 8, failed: 2 }, 3, 'Chance that 3 trials all pass: 46.7 %.'],
  [{ passed: 2, failed: 0 }, 3, 'Chance that 3 trials all pass: not known, only 2 graded.'],
  [{ passed: 0, failed: 0 }, 1, 'Chance that 1 trial all pass: not known, none was graded.'],
])('pass^k of %o for %d', (graded, k, expected) => {
  expect(passHatSentence(k, variantStatistics(graded, { passThreshold: null, k }))).toBe(expected);
});

const run = (passed: number, failed: number) => ({ passed, failed });
test.each([
  [[], 'No run with the same tools has a graded trial of it.'],
  [[run(1, 0)], 'With the same tools it was graded only once, which says nothing about flakiness.'],
  [
    [run(2, 0), run(3, 0)],
    'Steady: all of 5 graded trials passed over 2 runs with the same tools.',
  ],
  [[run(0, 2)], 'Steady: all of 2 graded trials failed over 1 run with the same tools.'],
  [
    [run(2, 0), run(1, 1), run(0, 2)],
    'Flaky: 3 of 6 graded trials passed over 3 runs with the same tools; 1 run had both results, changed sides 1 time between runs.',
  ],
])('%o', (runs, expected) => {
  expect(flakinessSentence(flakinessOver(runs))).toBe(expected);
});
