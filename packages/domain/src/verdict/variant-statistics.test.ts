import { expect, test } from 'vitest';
import { variantStatistics } from './variant-statistics.ts';

test('everything of a case variant that passed 8 of 10', () => {
  const statistics = variantStatistics({ passed: 8, failed: 2 }, { k: 3 });
  expect(statistics).toMatchObject({
    eligibleTrials: 10,
    passedTrials: 8,
    largestK: 10,
    passRateInterval: { confidence: 0.95, method: 'wilson' },
  });
  expect(statistics.passRateInterval?.lower).toBeCloseTo(0.490162, 6);
  expect(statistics.passHatK).toBeCloseTo(0.466667, 6);
});

test.each([
  ['no k was asked for', { passed: 3, failed: 0 }, null, null, 3],
  ['k is the number of trials', { passed: 3, failed: 0 }, 3, 1, 3],
  ['k is more than were graded', { passed: 3, failed: 0 }, 4, null, 3],
  ['nothing was graded', { passed: 0, failed: 0 }, 1, null, 0],
])('pass^k where %s', (_, graded, k, passHatK, largestK) => {
  expect(variantStatistics(graded, { k })).toMatchObject({
    passHatK,
    largestK,
  });
});
