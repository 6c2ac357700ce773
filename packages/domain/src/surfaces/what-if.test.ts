import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestSeed, modelParameterFields } from '../models/model-parameters.ts';
import { countForWhatIf, seedOfWhatIf, whatIf, whatIfSentence, whatIfStages } from './what-if.ts';

const run = (passed: number, trials: number, failedAt = {}) => ({ passed, trials, failedAt });

test.each([
  [run(2, 20), run(19, 20), 'better'],
  [run(19, 20), run(2, 20), 'worse'],
  [run(10, 20), run(11, 20), 'noDifference'],
  [run(0, 4), run(4, 4), 'insufficient'],
  [run(0, 0), run(4, 4), 'insufficient'],
] as const)('%o and %o: %s', (base, overlay, outcome) => {
  const compared = whatIf(base, overlay);
  expect(compared.outcome).toBe(outcome);
  expect(compared.difference === null).toBe(outcome === 'insufficient');
});

test('any chance gives a seed that a launch takes', () => {
  expect([seedOfWhatIf(0), seedOfWhatIf(1 - 2 ** -53)]).toEqual([0, largestSeed]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) => {
      expect(modelParameterFields.seed.safeParse(seedOfWhatIf(chance)).success).toBe(true);
    }),
  );
});

test('the interval holds the difference, and exchanged runs give the other sign', () => {
  const counts = fc
    .tuple(fc.integer({ min: 5, max: 60 }), fc.nat(60))
    .map(([trials, passed]) => run(Math.min(passed, trials), trials));
  const turned = { better: 'worse', worse: 'better', noDifference: 'noDifference' };
  fc.assert(
    fc.property(counts, counts, (base, overlay) => {
      const { difference, outcome } = whatIf(base, overlay);
      const back = whatIf(overlay, base);
      expect(back.outcome).toBe(turned[outcome as keyof typeof turned]);
      expect(back.difference?.passRate).toBeCloseTo(-(difference?.passRate ?? 1));
      expect(difference?.lower).toBeLessThanOrEqual(difference?.passRate ?? -1);
      expect(difference?.upper).toBeGreaterThanOrEqual(difference?.passRate ?? 1);
    }),
  );
});

test('stages where a trial of either run stops are told, in the order of the chain', () => {
  const { byStage } = whatIf(run(0, 5, { call: 1, selection: 4 }), run(4, 5, { response: 1 }));
  expect(byStage).toEqual([
    { stage: 'selection', base: 4, overlay: 0 },
    { stage: 'call', base: 1, overlay: 0 },
    { stage: 'response', base: 0, overlay: 1 },
  ]);
});

test('is told in one sentence', () => {
  const sentenceOf = (base: typeof few, overlay: typeof few) =>
    whatIfSentence(whatIf(base, overlay), { base, overlay });
  const few = run(1, 1);
  expect(sentenceOf(run(2, 20), run(18, 20))).toMatch(
    /^The overlay is better: \+80 points \(18 of 20 graded trials of all cases together passed with it, 2 of 20 without it; 95 % interval \+\d+(\.\d)? to \+\d+(\.\d)?\)\.$/,
  );
  expect(sentenceOf(few, few)).toContain('Too few trials');
});

test('trials of all cases are counted, and each stage where one stops is a sentence', () => {
  const failing = (failedTrials: number) => [{ stage: 'call' as const, failedTrials }];
  const counted = countForWhatIf([
    { passed: 2, failed: 1, stages: failing(1) },
    { passed: 0, failed: 2, stages: failing(2) },
  ]);
  expect(counted).toEqual({ passed: 2, trials: 5, failedAt: { call: 3 } });
  expect(whatIfStages(whatIf(counted, run(5, 5)))).toEqual([
    'Trials that stop at call: 3 without the overlay, 0 with it.',
  ]);
});
