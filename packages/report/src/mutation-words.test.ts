import { mutationScore } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { mutationEstimateSentence, mutationSentence } from './mutation-words.ts';

const outcomes = ['killed', 'killed', 'survived', 'equivalent', 'undecided'] as const;
const score = mutationScore(outcomes.map((outcome) => ({ outcome })));
const nothing = mutationScore([]);
const progress = { done: 5, total: 9 };

test.each([
  ['pending', nothing, 'It waits for a worker.'],
  ['running', score, '5 of 9 changes tried.'],
  [
    'completed',
    score,
    'The suite noticed 2 of 3 changes: 66.7 % (95 % interval 20.8 % to 93.9 %).',
  ],
  ['completed', nothing, 'No change was decided, so there is no score.'],
  ['failed', nothing, 'It failed: No credits. 5 changes were tried.'],
  [
    'cancelled',
    nothing,
    'It was cancelled after 5 changes. No change was decided, so there is no score.',
  ],
] as const)('%s', (status, score, sentence) => {
  expect(mutationSentence({ status, score: score, error: 'No credits.', progress })).toBe(sentence);
});

test.each([
  [0, 'At most 60 changes in 1,500 trials; its model costs nothing.'],
  [null, 'At most 60 changes in 1,500 trials; what they cost is not known.'],
  [1.239, 'At most 60 changes in 1,500 trials, about 1.24 credits.'],
])('for %s credits', (worstCaseCredits, sentence) => {
  expect(mutationEstimateSentence({ mutants: 60, trials: 1500, worstCaseCredits })).toBe(sentence);
});
