import { caseMovement, compareCases, type MovedCase } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { comparisonWords, relativeWords } from './comparison-words.ts';

/**
 * Compares cases given as rows: the title, then "passed/graded" for each run. Undefined means that
 * the run lacks the case.
 */
function compared(...rows: (readonly [string, string | undefined, string | undefined])[]) {
  const trials = (side: 1 | 2) =>
    rows.flatMap((row) => {
      const figures = row[side];
      if (figures === undefined) return [];
      const [passed = 0, graded = 0] = figures.split('/').map(Number);
      return [
        {
          caseKey: row[0],
          title: row[0],
          passed,
          failed: graded - passed,
          iterationIds: [],
          firstNotPassed: null,
          error: null,
          config: null,
          evaluationConfig: null,
        },
      ];
    });
  return compareCases(trials(1), trials(2));
}
const one = (before: string | undefined, after: string | undefined) =>
  caseMovement(compared(['one', before, after]).cases[0] as MovedCase);

test.each([
  ['1/1', '0/1', 'failsNow'],
  ['0/1', '1/1', 'passesNow'],
  ['1/1', '1/1', 'same'],
  ['0/3', '0/9', 'same'],
  ['20/20', '3/20', 'worse'],
  ['3/20', '20/20', 'better'],
  ['5/5', '4/5', 'unclear'],
  ['1/2', '1/2', 'unclear'],
  ['0/0', '1/1', 'notMeasured'],
  ['20/20', '0/0', 'notMeasured'],
  ['0/0', '0/0', 'notMeasured'],
  [undefined, '1/1', 'new'],
  ['1/1', undefined, 'removed'],
])('%s passed, then %s: %s', (before, after, movement) => {
  expect(one(before, after)).toBe(movement);
});

const words = (...rows: Parameters<typeof compared>) => comparisonWords(3, compared(...rows));

test('the verdict comes first, with what it rests on, then how many cases moved', () => {
  expect(
    words(['a', '20/20', '3/20'], ['b', '1/1', '0/1'], ['c', '0/1', '1/1'], ['d', '1/1', '1/1']),
  ).toMatchObject({
    tone: 'worse',
    head: 'Worse than run 3',
    text: 'Worse than run 3 (paired over 4 cases, too few to compare; corrected over 4 cases): 1 of 4 cases got worse; 1 of 4 cases fails now and passed before; 1 of 4 cases passes now and failed before.',
    details: [
      'A paired comparison needs 6 cases with graded trials in both runs; there are 4 (23 trials; in run 3: 23).',
      "Single cases are compared by Fisher's exact test, corrected over 4 cases by Holm: if nothing changed, the chance that any is called better or worse is at most 5 %.",
    ],
  });
  expect(words(['a', '0/9', '9/9'])).toMatchObject({
    tone: 'better',
    text: 'Better than run 3 (paired over 1 case, too few to compare; corrected over 1 case): 1 of 1 case got better.',
  });
});

const six = (before: string, after: string) =>
  Array.from({ length: 6 }, (_, at) => [`six${at}`, before, after] as const);

test('all cases together may be worse where no single one is', () => {
  const described = words(...six('5/5', '4/5'));
  expect(described).toMatchObject({
    tone: 'worse',
    text: 'Worse than run 3 (paired over 6 cases, p = 0.031; corrected over 6 cases): 6 of 6 cases changed, which may be chance.',
  });
  expect(described.details[0]).toBe(
    'Paired over 6 cases (30 trials; in run 3: 30), the pass rate is on average 20 percentage points lower; p = 0.031, two-sided, by an exact sign-flip test: a drop at the level of 5 %, not corrected for several comparisons.',
  );
  expect(words(...six('4/5', '5/5'))).toMatchObject({ tone: 'better' });
});

test('without a difference beyond chance nothing is called worse or better', () => {
  const described = words(...six('1/1', '1/1'), ['a', '5/5', '4/5'], ['b', undefined, '1/1']);
  expect(described).toMatchObject({
    tone: 'unclear',
    text: 'Not clearly different from run 3 (paired over 7 cases, p = 1; corrected over 7 cases): 1 of 8 cases changed, which may be chance; 1 of 8 cases is new.',
  });
  expect(described.details.at(-1)).toBe('Left out, since only this run has it: "b".');
  expect(words(['a', '1/1', '0/1'], ['b', '1/1', undefined])).toMatchObject({ tone: 'unclear' });
  expect(words(['a', '1/1', '1/1'], ['b', undefined, '0/1'])).toMatchObject({
    tone: 'other',
    text: 'Other cases than run 3: 1 of 2 cases is new.',
  });
  expect(words(['a', '1/1', '1/1'], ['b', '0/1', '0/1'])).toMatchObject({
    tone: 'same',
    text: 'The same as run 3: every one of 2 cases came out as before.',
  });
  expect(words(['a', '9/9', '0/0'], ['b', '1/1', '1/1'])).toMatchObject({
    tone: 'unclear',
    text: 'Not clearly different from run 3 (paired over 1 case, too few to compare; corrected over 1 case): 1 of 2 cases has no graded trial in one of the runs.',
  });
  expect(words()).toMatchObject({ text: 'The same as run 3: neither has a case.', details: [] });
});

test('a case that fails now and passed before comes first, ahead of what chance may explain', () => {
  expect(words(['a', '1/1', '0/1'], ['b', '1/1', '1/1'], ['c', '5/5', '4/5'])).toMatchObject({
    tone: 'unclear',
    head: '1 case fails now that passed before',
    text: '1 case fails now that passed before; 1 of 3 cases changed, which may be chance; otherwise not clearly different from run 3 (paired over 3 cases, too few to compare; corrected over 3 cases).',
  });
  expect(words(['a', '1/1', '0/1'], ['b', '2/2', '0/2'], ['c', '0/1', '1/1'])).toMatchObject({
    head: '2 cases fail now that passed before',
    text: '2 cases fail now that passed before; 1 of 3 cases passes now and failed before; otherwise not clearly different from run 3 (paired over 3 cases, too few to compare; corrected over 3 cases).',
  });
  expect(words(['a', '0/1', '1/1'])).toMatchObject({
    text: '1 case passes now that failed before; otherwise not clearly different from run 3 (paired over 1 case, too few to compare; corrected over 1 case).',
  });
});

test.each([
  [50, '+50 %'],
  [-99.94, '−99.9 %'],
  [899, '+899 %'],
  [900, '10 times as long'],
  [8570.1, '87 times as long'],
  [123_456_700, '1,234,568 times as long'],
])('a change of %s percent is %s', (percentDelta, words) => {
  expect(relativeWords(percentDelta, 'long')).toBe(words);
});
