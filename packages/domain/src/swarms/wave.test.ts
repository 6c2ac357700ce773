import { expect, test } from 'vitest';
import { healthOfTargets, miningOfWave, mostRunsOfWave, refuseFullWave } from './wave.ts';

const target = { kind: 'environment', id: 'e', label: 'Test' } as const;

test('no more of a target can have failed than was attempted', () => {
  const attempts = [
    { target, status: 'succeeded', begun: 1 },
    { target, status: 'failed', begun: 2 },
    { target, status: 'rate_limited', begun: 1 },
    { target, status: 'failed', begun: 0 },
    { target, status: 'rate_limited', begun: 0 },
  ];
  expect(healthOfTargets(attempts)).toEqual([
    {
      subjectKind: 'environment',
      subjectId: 'e',
      subjectLabel: 'Test',
      attempted: 3,
      succeeded: 1,
      failed: 1,
      rateLimited: 1,
    },
  ]);
});

test('a wave takes as many runs as whoever reads it can read', () => {
  expect(refuseFullWave(mostRunsOfWave - 1)).toBeUndefined();
  expect(refuseFullWave(mostRunsOfWave)).toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'WAVE_FULL', limit: mostRunsOfWave },
  });
});

test.each([
  [false, false, false, false, 'pending'],
  [false, false, true, true, 'pending'],
  [true, true, false, false, 'pending'],
  [true, true, true, true, 'pending'],
  [true, false, true, false, 'completed'],
  [true, false, true, true, 'failed'],
  [true, false, false, false, 'failed'],
] as const)(
  'ended %s, open work %s, result %s, given up since %s: mining is %s',
  (isTerminal, hasOpenWork, hasResult, isGivenUp, mining) => {
    expect(miningOfWave({ isTerminal, hasOpenWork, hasResult, isGivenUp })).toBe(mining);
  },
);
