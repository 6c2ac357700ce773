import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flakinessOver } from './flakiness.ts';

const run = (passed: number, failed: number) => ({ passed, failed });

test.each([
  ['no run', [], { runs: 0, mixedRuns: 0, flips: 0, stability: 'unmeasured' }],
  ['one trial', [run(1, 0)], { runs: 1, flips: 0, stability: 'single trial' }],
  ['always passed', [run(3, 0), run(3, 0)], { runs: 2, flips: 0, stability: 'stable pass' }],
  ['always failed', [run(0, 1), run(0, 2)], { runs: 2, flips: 0, stability: 'stable fail' }],
  [
    'one way, then the other',
    [run(3, 0), run(0, 3), run(3, 0)],
    { runs: 3, mixedRuns: 0, flips: 2, stability: 'mixed' },
  ],
  [
    'both ways in a run',
    [run(3, 0), run(2, 1), run(3, 0)],
    { runs: 3, mixedRuns: 1, flips: 0, stability: 'mixed' },
  ],
  [
    'a run that graded nothing',
    [run(1, 0), run(0, 0), run(1, 0)],
    { runs: 2, flips: 0, stability: 'stable pass' },
  ],
])('%s', (_, runs, expected) => {
  expect(flakinessOver(runs)).toMatchObject(expected);
});

test('every graded trial is counted once, and a case is mixed exactly where both results came', () => {
  const runs = fc.array(fc.record({ passed: fc.nat(5), failed: fc.nat(5) }), { maxLength: 20 });
  fc.assert(
    fc.property(runs, (inRuns) => {
      const flakiness = flakinessOver(inRuns);
      const passed = inRuns.reduce((sum, one) => sum + one.passed, 0);
      const failed = inRuns.reduce((sum, one) => sum + one.failed, 0);
      expect(flakiness.passedTrials).toBe(passed);
      expect(flakiness.eligibleTrials).toBe(passed + failed);
      expect(flakiness.stability === 'mixed').toBe(passed > 0 && failed > 0);
      expect(flakiness.mixedRuns > 0 || flakiness.flips > 0).toBe(passed > 0 && failed > 0);
    }),
  );
});
