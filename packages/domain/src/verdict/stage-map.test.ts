import { describe, expect, it } from 'vitest';
import { type StageState, stages } from '../chain/vocabulary.ts';
import {
  furthestTrial,
  type OutcomeGroup,
  outcomeCounts,
  rowsShownFirst,
  stageCells,
  type TrialOutcome,
} from './stage-map.ts';

describe('the trial that got furthest', () => {
  it.each<[string, OutcomeGroup[], number | undefined]>([
    ['is none without trials', [], undefined],
    ['is none if no trial ended', [group('toCome', null, { first: 4 })], undefined],
    ['is the only one that ended', [group('failed', 'connection', { first: 4 })], 4],
    ['may be the first of the run', [group('passed', null, { first: 0 })], 0],
    [
      'is a passed one before one that failed at the last stage',
      [group('failed', 'userValue', { first: 1 }), group('passed', null, { first: 2 })],
      2,
    ],
    [
      'is the one that failed at the later stage, in whatever order they come',
      [
        group('failed', 'discovery', { first: 1 }),
        group('failed', 'response', { first: 2 }),
        group('failed', 'call', { first: 3 }),
      ],
      2,
    ],
    [
      'is one that failed at the first stage before one that failed at an unknown stage',
      [group('failed', null, { first: 1 }), group('failed', 'connection', { first: 2 })],
      2,
    ],
    [
      'is one that failed at a known stage before one at a stage of another name',
      [group('failed', 'render', { first: 1 }), group('notGraded', 'connection', { first: 2 })],
      2,
    ],
    [
      'is an ungraded one that failed at a later stage than a failed one',
      [group('failed', 'call', { first: 1 }), group('notGraded', 'response', { first: 2 })],
      2,
    ],
    [
      'is the first in the list of those that got equally far',
      [group('notGraded', 'call', { first: 7 }), group('failed', 'call', { first: 3 })],
      7,
    ],
    [
      'is never one that is still to come, however far its stage is',
      [group('toCome', 'userValue', { first: 1 }), group('failed', null, { first: 2 })],
      2,
    ],
  ])('%s', (_title, groups, position) => {
    expect(furthestTrial(groups)).toBe(position);
  });

  it('is found without a change of the groups', () => {
    const groups = [group('failed', 'call', { first: 1 }), group('passed', null, { first: 2 })];
    furthestTrial(groups);
    expect(groups.map(({ first }) => first)).toEqual([1, 2]);
  });
});

describe('the cells of a row', () => {
  const furthest = storedChain(
    'passed',
    'passed',
    'notApplicable',
    'notMeasured',
    'passed',
    'passed',
  );
  const unmeasured = cells([
    ['notMeasured', 0],
    ['notMeasured', 0],
    ['notMeasured', 0],
    ['notMeasured', 0],
    ['notMeasured', 0],
    ['notMeasured', 0],
  ]);

  it('show the states of the furthest trial if no trial failed', () => {
    expect(stageCells([group('passed', null, { trials: 3 })], furthest)).toEqual(
      cells([
        ['passed', 0],
        ['passed', 0],
        ['notApplicable', 0],
        ['notMeasured', 0],
        ['passed', 0],
        ['passed', 0],
      ]),
    );
  });

  it('count the trials that first failed at each stage, failed, ungraded or not yet ended', () => {
    const groups = [
      group('failed', 'connection', { trials: 1 }),
      group('failed', 'call', { trials: 2 }),
      group('notGraded', 'call', { trials: 3 }),
      group('toCome', 'userValue', { trials: 4 }),
      group('passed', null, { trials: 5 }),
    ];
    expect(stageCells(groups, furthest)).toEqual(
      cells([
        ['failed', 1],
        ['passed', 0],
        ['notApplicable', 0],
        ['failed', 5],
        ['passed', 0],
        ['failed', 4],
      ]),
    );
  });

  it('do not count a passed trial as failed, even if it has a failed stage', () => {
    expect(stageCells([group('passed', 'connection', { trials: 2 })], furthest)[0]).toEqual({
      stage: 'connection',
      state: 'passed',
      failedTrials: 0,
    });
  });

  it('show the failure of the furthest trial even if no group has it', () => {
    const failed = {
      ...storedChain('passed', 'failed', 'notReached', 'notReached', 'notReached', 'notReached'),
      firstFailedStage: 'discovery',
    };
    expect(stageCells([], failed)).toEqual(
      cells([
        ['passed', 0],
        ['failed', 0],
        ['notReached', 0],
        ['notReached', 0],
        ['notReached', 0],
        ['notReached', 0],
      ]),
    );
  });

  it.each([
    ['no furthest trial', undefined],
    ['a furthest trial without stages', {}],
    ['stages of no version', { ...furthest, stageAnalyzerVersion: undefined }],
    ['stages with a false claim of a failure', { ...furthest, firstFailedStage: 'call' }],
  ])('are not measured with %s', (_title, chain) => {
    expect(stageCells([], chain)).toEqual(unmeasured);
    expect(stageCells([group('failed', null), group('failed', 'render')], chain)).toEqual(
      unmeasured,
    );
    expect(stageCells([group('failed', 'call')], chain)).toEqual(
      unmeasured.map((cell) =>
        cell.stage === 'call' ? { stage: 'call', state: 'failed', failedTrials: 1 } : cell,
      ),
    );
  });
});

describe('the outcomes of a row', () => {
  it('are all zero without trials', () => {
    expect(outcomeCounts([])).toEqual({ passed: 0, failed: 0, notGraded: 0, toCome: 0 });
  });

  it('are summed over the groups of each outcome', () => {
    const groups = [
      group('passed', null, { trials: 1 }),
      group('failed', 'call', { trials: 2 }),
      group('notGraded', null, { trials: 4 }),
      group('toCome', null, { trials: 8 }),
      group('passed', null, { trials: 16 }),
      group('failed', 'response', { trials: 32 }),
      group('notGraded', 'call', { trials: 64 }),
      group('toCome', null, { trials: 128 }),
    ];
    expect(outcomeCounts(groups)).toEqual({ passed: 17, failed: 34, notGraded: 68, toCome: 136 });
  });
});

describe('the rows shown first', () => {
  it.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 3],
    [7, 7],
    [8, 8],
    [9, 8],
    [200, 8],
  ])('of %i failed variants are %i', (failed, rows) => {
    expect(rowsShownFirst({ passed: 0, failed, notGraded: 0, toCome: 0 })).toBe(rows);
    expect(rowsShownFirst({ passed: 50, failed, notGraded: 60, toCome: 70 })).toBe(rows);
  });
});

function group(
  outcome: TrialOutcome,
  stage: string | null,
  { trials = 1, first = 0 }: { trials?: number; first?: number } = {},
): OutcomeGroup {
  return { outcome, stage, trials, first };
}

function storedChain(...states: StageState[]) {
  const stageResults = stages.map((stage, index) => ({ stage, state: states[index] }));
  return { stageResults, stageAnalyzerVersion: 2 };
}

function cells(rows: readonly [StageState, number][]) {
  return rows.map(([state, failedTrials], index) => ({
    stage: stages[index],
    state,
    failedTrials,
  }));
}
