import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countVotes, type JudgeVote } from './count-votes.ts';

const who = { model: 'local/judge', promptHash: 'h' };
const garbage: JudgeVote = { problem: 'The judge gave no reason.' };

function vote(score: number, ...criteria: number[]): JudgeVote {
  const parts = criteria.map((one, index) => ({
    name: names[index] ?? '',
    score: one,
    reason: `part ${one}`,
  }));
  return { score, reason: `scored ${score}`, rubricHits: [], criteria: parts };
}

const names = ['Tone', 'Facts'];

function outcome(...votes: JudgeVote[]) {
  const { passed, evaluatorError, judgedAs } = countVotes(votes, {}, who);
  return evaluatorError ? 'error' : passed ? 'holds' : judgedAs;
}

test.each([
  ['one at the threshold', [vote(0.7)], 'holds'],
  ['one below it', [vote(0.69)], 'judgePartial'],
  ['one at the floor', [vote(0.4)], 'judgePartial'],
  ['one below the floor', [vote(0.39)], 'judgeFailed'],
  ['one that failed', [garbage], 'error'],
  ['two of three', [vote(0.1), vote(0.9), vote(0.8)], 'holds'],
  ['one of three', [vote(0.1), vote(0.9), vote(0.2)], 'judgeFailed'],
  ['two and one that failed', [vote(0.9), garbage, vote(0.8)], 'holds'],
  ['two that failed and one', [garbage, garbage, vote(1)], 'error'],
  ['one for, one against, one that failed', [vote(0.9), garbage, vote(0.1)], 'error'],
  ['three of five', [vote(0.9), vote(0.1), vote(0.9), vote(0.2), vote(0.7)], 'holds'],
  ['two of three, two failed', [vote(0.9), garbage, vote(0.1), garbage, vote(0.7)], 'error'],
  ['three, two failed', [vote(0.9), garbage, vote(0.8), garbage, vote(0.7)], 'holds'],
  ['three that failed of five', [vote(1), garbage, garbage, garbage, vote(1)], 'error'],
  ['split by one that failed', [vote(1), vote(1), garbage, vote(0), vote(0)], 'error'],
])('%s', (_, votes, expected) => {
  expect(outcome(...votes)).toBe(expected);
});

test('the score that is told stands on the side of the most', () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  const cast = fc.array(fc.option(score), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(cast, score, (scores, threshold) => {
      const votes = scores.map((one) => (one === null ? garbage : vote(one)));
      const { passed, measured, evaluatorError } = countVotes(votes, { threshold }, who);
      const reached = scores.filter((one) => one !== null && one >= threshold).length;
      const below = scores.filter((one) => one !== null && one < threshold).length;
      const isOpen = Math.max(reached, below) * 2 <= scores.length;
      expect(evaluatorError === true).toBe(isOpen);
      if (isOpen || measured === undefined) return;
      expect(passed).toBe(reached > below);
      expect(measured.score >= threshold).toBe(passed);
      expect(scores).toContain(measured.score);
    }),
  );
});

test('every criterion is decided by the most, against its own threshold, and all must hold', () => {
  const criteria = [
    { name: 'Tone', description: 'Friendly.' },
    { name: 'Facts', description: 'True.', threshold: 0.9 },
  ];
  const judged = (...votes: JudgeVote[]) => countVotes(votes, { criteria }, who);
  expect(judged(vote(0.8, 0.7, 0.9))).toMatchObject({ passed: true });
  const missed = judged(vote(0.8, 0.7, 0.8));
  expect(missed).toMatchObject({ passed: false, judgedAs: 'judgePartial' });
  expect(missed.reason).toBe('The criterion "Facts" scores 0.8, below 0.9: part 0.8');
  expect(missed.measured).toMatchObject({
    score: 0.8,
    threshold: 0.7,
    reason: 'The judge scores 0.8, at or above 0.7: scored 0.8',
    criteria: [
      { name: 'Tone', score: 0.7, threshold: 0.7 },
      { name: 'Facts', score: 0.8, threshold: 0.9 },
    ],
  });
  expect(judged(vote(0.8, 0.1, 1))).toMatchObject({ judgedAs: 'judgeFailed' });
  // Each vote misses a different threshold, so the majority meets every threshold.
  const mixed = judged(vote(0.8, 0.1, 1), vote(0.8, 1, 0.1), vote(0.2, 1, 1));
  expect(mixed).toMatchObject({ passed: true });
  expect(mixed.measured?.criteria?.[0]?.votes).toMatchObject([
    { score: 0.1, passed: false },
    { score: 1, passed: true },
    { score: 1, passed: true },
  ]);
});

test('a failing judge says why, and several votes tell how many', () => {
  expect(countVotes([garbage], {}, who).reason).toBe('The judge failed: The judge gave no reason.');
  const two = countVotes([garbage, vote(1), garbage], {}, who);
  expect(two.reason).toBe('2 of 3 votes of the judge failed: The judge gave no reason.');
  const split = countVotes([vote(0), vote(1), garbage], {}, who);
  expect(split.reason).toContain('3 votes of the judge are split, since 1 failed');
  const counted = countVotes([vote(0), vote(1), vote(0.8)], {}, who);
  expect(counted.reason).toBe('The judge scores 0.8, at or above 0.7, by 2 of 3 votes: scored 0.8');
  expect(counted.measured?.votes).toHaveLength(3);
});

test('an outcome whose votes are split is told as split, whatever a criterion came to', () => {
  const criteria = [{ name: 'Tone', description: 'Friendly.' }];
  const votes = [vote(0.9, 0.1), garbage, vote(0.1, 0.1)];
  const { passed, reason, measured } = countVotes(votes, { criteria }, who);
  expect(passed).toBe(false);
  expect(reason).toBe('The criterion "Tone" scores 0.1, below 0.7, by 2 of 3 votes: part 0.1');
  expect(measured?.reason).toBe(
    'The judge scores 0.1, and the votes are split at 0.7, with 1 of 3 on one side: scored 0.1',
  );
});
