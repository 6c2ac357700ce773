import { furthestTrial, type OutcomeGroup, outcomeCounts, stageCells } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { chainStoppedAt } from '../example-summaries.ts';

const group = (columns: Partial<OutcomeGroup>): OutcomeGroup => ({
  outcome: 'failed',
  stage: null,
  trials: 1,
  first: 1,
  ...columns,
});
const states = (cells: ReturnType<typeof stageCells>) => cells.map(({ state }) => state);

describe('the stages of a case variant', () => {
  test('count what first failed at each, and are told by the trial that came furthest', () => {
    const groups = [
      group({ stage: 'selection', trials: 3, first: 4 }),
      group({ stage: 'response', trials: 2, first: 9 }),
    ];
    expect(furthestTrial(groups)).toBe(9);
    const cells = stageCells(groups, chainStoppedAt('response', 'toolError', 'serverData'));
    expect(states(cells)).toEqual([
      ...['passed', 'passed', 'failed', 'passed', 'failed', 'notReached'],
    ]);
    expect(cells.map(({ failedTrials }) => failedTrials)).toEqual([0, 0, 3, 0, 2, 0]);
  });

  test('a trial that passed came further than any that failed, and one to come came nowhere', () => {
    const failed = group({ stage: 'userValue', first: 1 });
    const toCome = group({ outcome: 'toCome', first: 2 });
    expect(furthestTrial([failed, toCome, group({ outcome: 'passed', first: 7 })])).toBe(7);
    expect(furthestTrial([toCome])).toBeUndefined();
  });

  test('nothing is said of what no chain shows', () => {
    expect(new Set(states(stageCells([], undefined)))).toEqual(new Set(['notMeasured']));
    const unverified = { stageResults: null };
    expect(new Set(states(stageCells([], unverified)))).toEqual(new Set(['notMeasured']));
  });

  test('its trials are counted by what came of them', () => {
    const groups = [
      group({ outcome: 'passed', trials: 5 }),
      group({ stage: 'call', trials: 2 }),
      group({ trials: 1 }),
      group({ outcome: 'notGraded', trials: 4 }),
    ];
    expect(outcomeCounts(groups)).toEqual({ passed: 5, failed: 3, notGraded: 4, toCome: 0 });
  });
});
