import { caseMovement, compareCases, type MovedCase } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { comparisonWords, relativeWords } from './comparison-words.ts';

/**
 * Compares cases given as rows: the title, then "passed/graded" in each run; undefined if the run
 * does not have the case.
 */
function compared(...rows: (readonly [string, string | undefined, string | undefined])[]) {
  const trials = (side: 1 | 2) =>
    rows.flatMap((row) => {
      const told = row[side];
      if (told === undefined) return [];
      const [passed = 0, graded = 0] = told.split('/').map(Number);
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
  caseMovement(compared(['one', before, after])[0] as MovedCase);

test.each([
  ['1/1', '0/1', 'worse'],
  ['0/1', '1/1', 'better'],
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

test('the verdict comes first, then how many cases moved and how sure that is', () => {
  expect(
    words(['a', '20/20', '3/20'], ['b', '1/1', '0/1'], ['c', '0/1', '1/1'], ['d', '1/1', '1/1']),
  ).toMatchObject({
    tone: 'worse',
    text: 'Worse than run 3: 2 of 4 cases got worse, 1 of them outside the noise; 1 of 4 cases got better, with too few trials to tell from chance.',
  });
  expect(words(['a', '0/9', '9/9'])).toMatchObject({
    tone: 'better',
    text: 'Better than run 3: 1 of 1 case got better, outside the noise.',
  });
});

test('what may be chance, and cases that only one run has, are no verdict', () => {
  expect(
    words(['a', '5/5', '4/5'], ['b', undefined, '1/1'], ['c', '1/1', undefined]),
  ).toMatchObject({
    tone: 'unclear',
    text: 'Not clearly different from run 3: 1 of 3 cases changed, which may be chance; 1 of 3 cases is new; 1 of 3 cases is not in this run.',
  });
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
    text: 'Not clearly different from run 3: 1 of 2 cases has no graded trial in one of the runs.',
  });
  expect(words().text).toBe('The same as run 3: neither has a case.');
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
