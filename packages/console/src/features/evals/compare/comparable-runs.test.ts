import { expect, test } from 'vitest';
import { comparableRuns, comparableRunWords, mayHaveRunBefore } from './comparable-runs.ts';

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

test('a replay and a run under an overlay are told from others', () => {
  const run = { runNumber: 3, status: 'completed', result: 'passed', gateWaiver: null };
  const words = (more: object) => comparableRunWords({ ...run, ...more } as never);
  expect([{}, { replay: {} }, { overlay: {} }, { replay: {}, overlay: {} }].map(words)).toEqual([
    ...['run 3, passed', 'run 3, passed, replay', 'run 3, passed, what-if'],
    'run 3, passed, replay, what-if',
  ]);
});
