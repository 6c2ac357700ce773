import { expect, test } from 'vitest';
import { goalWord, judgedSentences } from './goal-words.ts';

test('what a judge says of a session is told as judged, and one that failed says nothing', () => {
  expect(goalWord({ status: 'completed', score: 0.8, passed: true })).toBe('goal met, 80 %');
  expect(goalWord({ status: 'completed', score: 0.5, passed: false })).toBe('goal not met, 50 %');
  expect(goalWord({ status: 'pending', score: null, passed: null })).toBe('to be judged');
  expect(goalWord({ status: 'failed', score: null, passed: null })).toBe('not judged');
});

test('of a run the judged sessions are counted, never the graded ones', () => {
  const judged = { gradedCount: 3, passedCount: 2, avgScore: 0.75 };
  const sentences = judgedSentences({ ...judged, pendingCount: 1, failedCount: 1 });
  expect(sentences).toEqual([
    'The judge finds the goal met in 2 of 3 judged sessions; the mean score is 75 %.',
    '1 session to be judged.',
    '1 session could not be judged, which says nothing about the server.',
    'It advises and decides nothing.',
  ]);
  expect(sentences.join()).not.toContain('graded');
});
