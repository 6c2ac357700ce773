import { expect, test } from 'vitest';
import { chanceWords, pairedBrief, pairedSentence } from './paired-words.ts';

test.each([
  [0.0004, 'p < 0.001'],
  [0.003, 'p = 0.003'],
  [0.05, 'p = 0.05'],
  [0.0504, 'p = 0.0504'],
  [0.0497, 'p = 0.05'],
  [0.05 * (1 + 1e-12), 'p = 0.05'],
  [1, 'p = 1'],
])('%d is %s', (p, words) => {
  expect(chanceWords(p)).toBe(words);
});

test('rows and models of fewer cases are told as such', () => {
  const paired = { pairs: 40, clusters: 25, difference: -0.0849, method: 't', p: 0.003 } as const;
  expect(pairedBrief({ ...paired, level: 0.05 })).toBe(
    'paired over 40 rows and models of 25 cases, p = 0.003',
  );
  const trials = { base: 200, compare: 1200 };
  expect(pairedSentence({ ...paired, level: 0.05 }, trials, 'run 41')).toBe(
    "Paired over 40 rows and models of 25 cases (1,200 trials; in run 41: 200), the pass rate is on average 8.5 percentage points lower; p = 0.003, two-sided, by Student's t: a drop at the level of 5 %, not corrected for several comparisons.",
  );
});

test.each([
  [0.00001, 'the pass rate is on average less than 0.1 percentage points higher'],
  [0, 'the pass rate is on average the same'],
])('a difference of %d: %s', (difference, words) => {
  const paired = {
    pairs: 9,
    clusters: 9,
    difference,
    method: 'mcnemar',
    p: 0.8,
    level: 0.05,
  } as const;
  expect(pairedSentence(paired, { base: 9, compare: 9 }, 'base.json')).toContain(
    `in base.json: 9), ${words}; p = 0.8, two-sided, by McNemar's exact test: no difference beyond chance`,
  );
});
