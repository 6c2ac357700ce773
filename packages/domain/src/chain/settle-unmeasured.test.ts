import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, bare, down, nothingAuthored, ok, rowOf, strip } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

describe('what settles a trial before it is measured', () => {
  const blocked = { blockedByPolicy: true, status: 'setup_failed' } as const;
  test('a policy that blocked it comes first and gives no category', () => {
    expect(strip(blocked, allGood)).toEqual(Array(6).fill('notMeasured/blockedByPolicy'));
    expect(deriveChain({ ...allGood, ...blocked })).not.toHaveProperty('failureCategory');
  });

  test('a stage that does not apply stays so when nothing was measured', () => {
    expect(strip({ blockedByPolicy: true, authored: nothingAuthored })).toEqual([
      ...Array(2).fill('notMeasured/blockedByPolicy'),
      ...Array(4).fill('notApplicable/notAuthored'),
    ]);
  });

  test.each([
    ['set-up failed', { status: 'setup_failed' }],
    ['failed with neither trace nor evidence', { status: 'failed', tracePresent: false }],
    [
      'failed with nothing but a judge that is still owed',
      { status: 'failed', tracePresent: false, judge: { status: 'pending' } },
    ],
  ] as const)('%s and no signal: every stage aborted, category setup', (_title, change) => {
    expect(strip(change)).toEqual(Array(6).fill('notMeasured/setupAborted'));
    expect(deriveChain({ ...bare, ...change }).failureCategory).toBe('setup');
  });

  test.each<[string, Partial<TrialEvidence>, string[], Stage | undefined]>([
    [
      'a proven connect failure',
      { connect: down('theirs') },
      ['failed/connectFailed', ...Array(5).fill('notReached/earlierStageFailed')],
      'connection',
    ],
    [
      'a failed list after a good connect',
      { connect: ok, toolsList: down('theirs', false) },
      [
        'passed/observed',
        'failed/toolsListFailed',
        ...Array(4).fill('notReached/earlierStageFailed'),
      ],
      'discovery',
    ],
    [
      'a connect failure of ours',
      { connect: down('ours') },
      Array(6).fill('notMeasured/setupAborted'),
      undefined,
    ],
    [
      'a connect failure nobody can place',
      { connect: down('theirs', false) },
      ['notMeasured/egressUnverified', ...Array(5).fill('notMeasured/setupAborted')],
      undefined,
    ],
    [
      'good signals and then an abort',
      { connect: ok, toolsList: ok },
      ['passed/observed', 'passed/observed', ...Array(4).fill('notMeasured/setupAborted')],
      undefined,
    ],
  ])('an aborted set-up keeps what its signals say: %s', (_title, change, rows, first) => {
    const chain = deriveChain({ ...bare, status: 'setup_failed', ...change });
    expect(chain.stageResults.map((row) => `${row.state}/${row.reason}`)).toEqual(rows);
    expect(chain.firstFailedStage).toBe(first);
    expect(chain.failureCategory).toBe('setup');
  });

  test('an aborted set-up is measured from its signals alone', () => {
    const { connect: _connect, toolsList: _toolsList, ...unsignalled } = allGood;
    expect(strip({ status: 'setup_failed' }, unsignalled)).toEqual(
      Array(6).fill('notMeasured/setupAborted'),
    );
  });

  test('a trial that failed with evidence is measured', () => {
    expect(rowOf('selection', { status: 'failed', tracePresent: false }, allGood)).toBe(
      'passed/observed',
    );
  });

  test.each(['cancelled', 'timed_out', 'skipped'] as const)(
    'a %s trial is unmeasured',
    (status) => {
      expect(strip({ status }, allGood)).toEqual(Array(6).fill('notMeasured/lifecycleStopped'));
      expect(deriveChain({ ...allGood, status }).failureCategory).toBe('setup');
    },
  );
});
