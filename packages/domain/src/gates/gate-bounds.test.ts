import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentile95 } from './measures.ts';
import { gateRun, type RunAtGate } from './run-gate.ts';

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
    expect(gateOf([run, ended(10, 10)])?.reason).toBe(`Run 7 cannot be compared: ${words}`);
  });
});

describe('the 95th percentile', () => {
  test('lies between the sorted values at 0.95 × (n − 1)', () => {
    expect(percentile95([])).toBeUndefined();
    expect(percentile95([7])).toBe(7);
    expect(percentile95([20, 10])).toBe(19.5);
    expect(percentile95(Array.from({ length: 21 }, (_, index) => index))).toBe(19);
    expect(percentile95(Array.from({ length: 101 }, (_, index) => 100 - index))).toBe(95);
  });

  test('is within the values in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (values) => {
        const measured = percentile95(values);
        expect(measured).toBe(percentile95(values.toReversed()));
        expect(measured).toBeGreaterThanOrEqual(Math.min(...values));
        expect(measured).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });
});
