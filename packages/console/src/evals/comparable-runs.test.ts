import { expect, test } from 'vitest';
import { comparableRuns, mayHaveRunBefore } from './comparable-runs.ts';

test('the first run has none before it, every other may', () => {
  expect([1, 2, 30].map((runNumber) => mayHaveRunBefore({ runNumber }))).toEqual([
    ...[false, true, true],
  ]);
});

test('a run stands beside the others that have ended, never beside itself', () => {
  const runs = [
    { id: 'run_3', status: 'running' },
    { id: 'run_2', status: 'completed' },
    { id: 'run_1', status: 'cancelled' },
  ] as const;
  expect(comparableRuns(runs, 'run_2')).toEqual([runs[2]]);
  expect(comparableRuns(runs, 'run_1')).toEqual([runs[1]]);
});
