/** Tests both sides of each gate's bound, and the texts for unmeasured values. */
import { describe, expect, test } from 'vitest';
import { p95LatencyMs, percentile95, scoredRows } from './measures.ts';
import type { GateScore, RunEvidence } from './run-evidence.ts';
import { gateRun, type RunAtGate } from './run-gate.ts';
import { gateSingleRun } from './single-run-gate.ts';

const withScores = (...scores: Partial<GateScore>[]): RunEvidence => ({
  status: 'completed',
  allTrialsRead: true,
  scenarioConfigHash: null,
  evaluationConfigHash: null,
  trials: scores.map((score, at) => ({
    caseKey: `case-${at}`,
    result: 'passed',
    scoreIntegrity: 'valid',
    scores: [
      { scorerId: 's', role: 'gating', status: 'scored', value: 1, passThreshold: 0.5, ...score },
    ],
  })),
});
const withLatencies = (...latencies: number[]): RunEvidence => {
  const run = withScores(...latencies.map(() => ({})));
  return {
    ...run,
    trials: run.trials.map((trial, at) => ({ ...trial, latencyMs: latencies[at] as number })),
  };
};

describe('a score', () => {
  test.each([0, 0.5, 1])('of %d is one', (value) => {
    expect(scoredRows(withScores({ value }), 's')).toEqual([{ value, passThreshold: 0.5 }]);
  });

  test.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY])('of %d is none', (value) => {
    expect(scoredRows(withScores({}, { value }), 's')).toBeUndefined();
  });

  test('of another scorer alone is none, and one that does not apply is left out', () => {
    expect(scoredRows(withScores({}), 'other')).toBeUndefined();
    expect(scoredRows(withScores({}, { scorerId: 'other' }), 's')).toBeUndefined();
    expect(scoredRows(withScores({}, { status: 'not_applicable' }), 's')).toHaveLength(1);
    expect(scoredRows(withScores({ status: 'not_applicable' }), 's')).toBeUndefined();
    expect(scoredRows(withScores({ status: 'error' }), 's')).toBeUndefined();
  });

  test.each([
    [0.5, 'passed'],
    [0.49, 'failed'],
  ])('of %d against a threshold of 0.5: %s', (value, outcome) => {
    const policy = { minimumScorerPassRate: { s: 1 } };
    expect(gateSingleRun(policy, withScores({ value })).outcome).toBe(outcome);
  });
});

describe('a latency', () => {
  test.each([0, 1, 5000])('of %d ms counts', (latencyMs) => {
    expect(p95LatencyMs(withLatencies(latencyMs))).toBe(latencyMs);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %d ms leaves all unmeasured',
    (latencyMs) => {
      expect(p95LatencyMs(withLatencies(10, latencyMs))).toBeUndefined();
    },
  );

  test('has no 95th percentile without a value', () => {
    expect(percentile95([])).toBeUndefined();
    expect(percentile95([3])).toBe(3);
    expect(percentile95([20, 0])).toBeCloseTo(19);
  });
});

describe('a baseline', () => {
  const ended = (passed: number, total: number): RunAtGate => ({
    status: 'completed',
    summary: { total, passed, failed: total - passed },
  });
  const gateOf = ([before, now]: readonly [RunAtGate, RunAtGate]) => {
    const baseline = { run: before, runNumber: 7, evaluationConfigChanged: false, cases: [] };
    return gateRun(now, { baseline: { ...baseline, paired: null } }).gates[0];
  };

  test.each<readonly [string, RunAtGate, string]>([
    [
      'is not completed',
      { ...ended(1, 1), status: 'running' } as never,
      'The run is not completed.',
    ],
    ['has no counts', { status: 'completed' } as never, 'The run recorded no count of its trials.'],
    [
      'has open trials',
      { status: 'completed', summary: { total: 3, passed: 1, failed: 0 } } as never,
      '2 trials of 3 ended without a result.',
    ],
  ])('a run that %s is told so, of the run and of its baseline', (_, run, words) => {
    expect(gateOf([ended(10, 10), run])?.reason).toBe(words);
    expect(gateOf([run, ended(10, 10)])?.reason).toBe(`Of run 7: ${words}`);
  });
});
