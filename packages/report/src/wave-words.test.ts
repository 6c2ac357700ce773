import type { ComparedCriterion } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import {
  type ComparisonVerdict,
  comparisonSentence,
  comparisonVerdict,
  miningSentence,
  outcomeWords,
  type ShownComparison,
  waveSentence,
} from './wave-words.ts';

describe('the runs of a wave', () => {
  test.each([
    [['passed', 'passed'], 'PASSED: 2 of 2 runs passed.'],
    [
      ['passed', 'failed', 'notEstablished'],
      'FAILED: 1 of 3 runs failed, 1 passed, 1 ended without a verdict.',
    ],
    [['passed', 'notEstablished'], 'INCONCLUSIVE: 1 of 2 runs passed, 1 ended without a verdict.'],
    [['notEstablished'], 'NOT ESTABLISHED: 1 of 1 run ended without a verdict.'],
  ] as const)('%j', (verdicts, sentence) => {
    expect(waveSentence(verdicts, true)).toBe(sentence);
  });

  test('say nothing while the wave goes on', () => {
    expect(waveSentence(['failed', 'notEstablished'], false)).toBe(
      'NOT ESTABLISHED: the wave has not ended.',
    );
  });
});

describe('two waves', () => {
  const ended = { base: true, current: true };
  const compared = (...outcomes: ComparedCriterion['outcome'][]): ShownComparison => ({
    rows: outcomes.map(
      (outcome) =>
        ({
          outcome,
          corrected: outcome,
          role: 'gating',
          holm: outcome === 'insufficient_data' ? null : 0.2,
        }) as ComparedCriterion,
    ),
    notComparable: [],
    terminal: ended,
  });
  const incomparable = { decides: true };

  test.each<[ShownComparison, ComparisonVerdict, string]>([
    [
      compared('regression', 'no_regression'),
      'worse',
      'WORSE: 1 of 2 comparisons with monday got worse, at 5 %, corrected over 2 comparisons.',
    ],
    [
      compared('regression', 'no_regression', 'insufficient_data'),
      'worse',
      'WORSE: 1 of 2 comparisons with monday got worse, at 5 %, corrected over 2 comparisons; 1 of 3 could not be decided: too few distinct conversations.',
    ],
    [
      compared('no_regression', 'no_regression'),
      'notWorse',
      'NOT WORSE: 0 of 2 comparisons with monday got worse, at 5 %, corrected over 2 comparisons.',
    ],
    [
      { ...compared('no_regression'), notComparable: [incomparable] },
      'notEstablished',
      'NOT ESTABLISHED: 0 of 1 comparison with monday got worse, by its 95 % interval. 1 more could not be compared.',
    ],
    [
      { ...compared('regression'), notComparable: [incomparable] },
      'worse',
      'WORSE: 1 of 1 comparison with monday got worse, by its 95 % interval. 1 more could not be compared.',
    ],
    [
      { ...compared('no_regression'), notComparable: [{ decides: false }] },
      'notWorse',
      'NOT WORSE: 0 of 1 comparison with monday got worse, by its 95 % interval. 1 more could not be compared.',
    ],
    [
      compared('no_regression', 'insufficient_data'),
      'notEstablished',
      'NOT ESTABLISHED: 0 of 1 comparison with monday got worse, by its 95 % interval; 1 of 2 could not be decided: too few distinct conversations.',
    ],
    [
      compared('insufficient_data'),
      'notEstablished',
      'NOT ESTABLISHED: too few distinct conversations to compare with monday.',
    ],
    [compared(), 'notEstablished', 'NOT ESTABLISHED: nothing can be compared with monday.'],
    [
      { ...compared(), notComparable: [incomparable] },
      'notEstablished',
      'NOT ESTABLISHED: nothing can be compared with monday.',
    ],
    [
      { ...compared('regression'), terminal: { base: true, current: false } },
      'notEstablished',
      'NOT ESTABLISHED: the wave has not ended.',
    ],
    [
      { ...compared('no_regression'), terminal: { base: false, current: true } },
      'notEstablished',
      'NOT ESTABLISHED: monday has not ended.',
    ],
    [
      { ...compared('no_regression'), terminal: { base: false, current: false } },
      'notEstablished',
      'NOT ESTABLISHED: the wave and monday have not ended.',
    ],
    [
      { ...compared('no_regression'), truncated: true },
      'notWorse',
      'NOT WORSE: 0 of 1 comparison with monday got worse, by its 95 % interval. Of a wave with more than 5,000 graded sessions only the newest were compared.',
    ],
  ])('%#', (comparison, verdict, sentence) => {
    expect(comparisonVerdict(comparison)).toBe(verdict);
    expect(comparisonSentence(comparison, 'monday')).toBe(sentence);
  });
});

test('an outcome among others says how far it is corrected', () => {
  const row = { corrected: 'regression', holm: 0.0041 } as const;
  expect(outcomeWords(row, 12)).toBe('worse (p = 0.0041, corrected over 12 comparisons)');
  expect(outcomeWords(row, 1)).toBe('worse');
  const few = { corrected: 'insufficient_data', holm: 0.2 } as const;
  expect(outcomeWords(few, 12)).toBe('too few to compare');
});

describe('what was looked for in a wave', () => {
  test.each([
    ['pending', false, undefined],
    ['pending', true, 'The search for findings is in progress.'],
    ['completed', true, undefined],
    ['failed', true, 'The search for findings failed; another run in this wave starts it again.'],
  ] as const)('%s, terminal %s', (mining, terminal, sentence) => {
    expect(miningSentence({ mining, terminal })).toBe(sentence);
  });
});
