import { expect, test } from 'vitest';
import { trialsPassed } from './trials-passed.ts';

test.each([
  ['a run that ended', { status: 'completed', passed: 5, total: 6 }, '5 of 6'],
  ['trials nobody graded', { status: 'cancelled', passed: 16, total: 1060 }, '16 of 1,060'],
  ['a run that goes on', { status: 'running', passed: 0, total: 0 }, 'not over yet'],
  ['a count nobody recorded', { status: 'completed', passed: 5 }, ''],
  ['no counts at all', { status: 'failed', passed: null, total: null }, ''],
])('%s', (_, run, words) => {
  expect(trialsPassed(run)).toBe(words);
});
