import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRun } from './decide-run.ts';
import { legacyResult } from './legacy-result.ts';
import { resolvePolicy } from './resolve-policy.ts';

describe('a legacy run', () => {
  it.each([
    [10, 9, 90, 'passed'],
    [10, 9, 90.1, 'failed'],
    [100, 29, 29, 'passed'],
    [3, 0, 0, 'passed'],
    [3, 3, 100, 'passed'],
    [3, 2, 100, 'failed'],
  ])('of %i trials with %i passed at %d percent has %s', (total, passed, percent, result) => {
    expect(legacyResult({ total, passed }, percent)).toBe(result);
  });

  it('passes at every whole percent that its share equals', () => {
    for (let passed = 0; passed <= 100; passed += 1) {
      expect(legacyResult({ total: 100, passed }, passed)).toBe('passed');
      expect(legacyResult({ total: 100, passed }, passed + 0.5)).not.toBe('passed');
    }
  });

  it.each([
    ['without a trial', 0, 0, 80],
    ['with more passes than trials', 1, 2, 80],
    ['with a count below zero', 3, -1, 80],
    ['with a count that is no integer', 2.5, 1, 80],
    ['with a threshold above 100', 1, 1, 101],
    ['with a threshold below 0', 1, 1, -1],
    ['with a threshold that is no number', 1, 1, Number.NaN],
  ])('%s has no result', (_title, total, passed, percent) => {
    expect(legacyResult({ total, passed }, percent)).toBeUndefined();
  });

  it('with a trial is never inconclusive', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        fc.nat(),
        fc.integer({ max: 100, min: 0 }),
        (a, b, min) => {
          expect(['passed', 'failed']).toContain(
            legacyResult({ total: a, passed: b % (a + 1) }, min),
          );
        },
      ),
    );
  });

  it('is no fraction per case: 9 of 10 perfect cases pass 90 percent and fail 0.9 each', () => {
    const cases = Array.from({ length: 10 }, (_, index) => ({
      caseId: `c${index}`,
      configuredTrials: 1,
      effectivePassThreshold: 0.9,
      trials: [{ status: 'completed', taskVerdict: index === 0 ? 'failed' : 'passed' } as const],
    }));
    expect(decideRun({ policy: resolvePolicy(), cases })).toMatchObject({
      decision: { verdict: 'failed' },
    });
    expect(legacyResult({ total: 10, passed: 9 }, 90)).toBe('passed');
  });
});
