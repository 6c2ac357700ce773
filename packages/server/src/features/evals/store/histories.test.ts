import { textOfTurns } from '@proofmark/harness/text-of-turns.ts';
import { expect, test } from 'vitest';
import { joinRuns } from './histories.ts';

const variant = (caseId: string, surface = 'tools') => [caseId, 'one', null, 'content', surface];
const row = (variants: readonly unknown[], ...runs: string[]) => ({
  variants: JSON.stringify(variants),
  runs: runs.join('\n'),
});
const joined = (...rows: ReturnType<typeof row>[]) =>
  joinRuns(rows).map(
    ({ caseId, runs, firstEndedAt, lastEndedAt, lastRunId, results }) =>
      `${caseId} ${runs} ${firstEndedAt}-${lastEndedAt} ${lastRunId} ${textOfTurns(results)}`,
  );

test('the results of runs in any order are joined in the order of their end, then of their ids', () => {
  const a = row([variant('a')], 'run_4 200 1:0', 'run_1 100 1:101', 'run_3 200 1:1');
  expect(joined(a)).toEqual(['a 3 100-200 run_4 10110']);
});

test('a history goes on in runs with other variants beside it', () => {
  const first = row([variant('a'), variant('b')], 'run_1 100 1:11 2:0', 'run_3 300 2:1 1:1');
  const second = row([variant('a')], 'run_2 200 1:00');
  expect(joined(first, second)).toEqual(['b 2 100-300 run_3 01', 'a 3 100-300 run_3 11001']);
});

test('histories of the same run are in the order of their last trials', () => {
  const both = [variant('a', 'new'), variant('a', 'old')];
  expect(joined(row(both, 'run_1 100 2:1 1:0'))).toEqual([
    'a 1 100-100 run_1 0',
    'a 1 100-100 run_1 1',
  ]);
  expect(joined(row(both, 'run_1 100 1:1 2:0'))).toEqual([
    'a 1 100-100 run_1 1',
    'a 1 100-100 run_1 0',
  ]);
});

test('without runs there are no histories', () => {
  expect(joinRuns([])).toEqual([]);
});
