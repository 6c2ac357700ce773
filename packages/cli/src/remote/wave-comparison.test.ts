import { describe, expect, test } from 'vitest';
import { comparisonExitCode, comparisonLines, type WaveComparison } from './wave-comparison.ts';

const side = (passed: number, graded: number) => ({ passed, graded, rate: passed / graded });
const row = (outcome: WaveComparison['rows'][number]['outcome'], criterionId = 'clean') => ({
  journeyId: 'jny_1',
  targetId: 'environment:env_1',
  criterionId,
  outcome,
  corrected: outcome,
  role: 'gating' as const,
  base: side(9, 10),
  current: side(2, 10),
  difference: { lower: -0.9, upper: -0.3 },
  holm: outcome === 'insufficient_data' ? null : 0.006,
});
const comparison = (more: Partial<WaveComparison>): WaveComparison => ({
  waveId: 'tuesday',
  baseWaveId: 'monday',
  rows: [],
  notComparable: [],
  terminal: { base: true, current: true },
  ...more,
});
const names = new Map([
  ['jny_1', 'Count pens'],
  ['environment:env_1', 'Shop'],
  ['jny_1 clean', 'Counts'],
]);
const lines = (compared: WaveComparison) =>
  comparisonLines(compared, names, { ascii: true, width: 80 } as never);

describe('two waves', () => {
  test('of which one is worse say so first, with names, and end with 1', () => {
    const compared = comparison({ rows: [row('regression'), row('insufficient_data', 'other')] });
    expect(comparisonExitCode(compared)).toBe(1);
    expect(lines(compared)).toEqual([
      'WORSE: 1 of 1 comparison with monday got worse, by its 95 % interval; 1 of 2',
      '  could not be decided: too few distinct conversations.',
      'Count pens',
      '  Counts in Shop: held in 2 of 10, before in 9 of 10: worse',
      '  other in Shop: held in 2 of 10, before in 9 of 10: too few to compare',
    ]);
  });

  test('of which none is worse end with 0, with 3 where one could not be told', () => {
    const noneWorse = comparison({ rows: [row('no_regression')] });
    expect(comparisonExitCode(noneWorse)).toBe(0);
    expect(lines(noneWorse)[0]).toMatch(/^NOT WORSE: 0 of 1 comparison /);
    const notEstablished = comparison({ rows: [row('no_regression'), row('insufficient_data')] });
    expect(comparisonExitCode(notEstablished)).toBe(3);
    expect(lines(notEstablished).join(' ')).toMatch(
      /^NOT ESTABLISHED: .* 1 of 2 could not be decided/,
    );
  });

  test('with a worse criterion that is advisory tell it, and it decides nothing', () => {
    const advisory = { ...row('regression', 'other'), role: 'advisory' as const };
    const compared = comparison({ rows: [row('no_regression'), advisory] });
    expect(comparisonExitCode(compared)).toBe(0);
    const told = lines(compared).join(' ').replaceAll(/\s+/g, ' ');
    expect(told).toContain(
      'NOT WORSE: 0 of 1 comparison with monday got worse, at 5 %, corrected over 2 comparisons.',
    );
    expect(told).toMatch(
      /other in Shop: .*: worse \(p = 0\.006, corrected over 2 comparisons\), decides nothing$/,
    );
    expect(comparisonExitCode(comparison({ rows: [advisory] }))).toBe(3);
  });

  test('of which one goes on end with 3, whatever was counted so far', () => {
    for (const outcome of ['regression', 'no_regression'] as const) {
      const terminal = { base: true, current: false };
      const compared = comparison({ rows: [row(outcome)], terminal });
      expect(comparisonExitCode(compared)).toBe(3);
      expect(lines(compared)[0]).toBe('NOT ESTABLISHED: the wave has not ended.');
    }
  });

  test('of which nothing can be said end with 3, and say what was changed', () => {
    const notComparable = [{ journeyId: 'jny_1', reason: 'goal_changed' as const, decides: true }];
    const compared = comparison({ rows: [row('insufficient_data')], notComparable });
    expect(comparisonExitCode(compared)).toBe(3);
    expect(comparisonExitCode(comparison({}))).toBe(3);
    expect(comparisonExitCode(comparison({ rows: [row('no_regression')], notComparable }))).toBe(3);
    expect(lines(compared)[0]).toMatch(/^NOT ESTABLISHED: /);
    expect(lines(compared).at(-1)).toBe('Not compared: Count pens: its goal was changed');
  });
});
