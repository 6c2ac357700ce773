import { describe, expect, test } from 'vitest';
import { type InstallationFacts, problemsOf } from './health.ts';

const well: InstallationFacts = {
  workers: [{ secondsSinceBeat: 2 }, { secondsSinceBeat: 30 }],
  work: [{ waiting: 40, longestWaitSeconds: 300 }],
  disk: { freeBytes: 10, totalBytes: 100, refusesWrites: false },
};

describe('what an operator should look at', () => {
  test.each([
    ['nothing, at the bounds', {}, []],
    ['a disk that is not ours to see', { disk: null }, []],
    ['no worker at all', { workers: [] }, ['noWorker']],
    ['only silent ones', { workers: [{ secondsSinceBeat: 31 }] }, ['noWorker', 'silentWorker']],
    [
      'one of two silent',
      { workers: [{ secondsSinceBeat: 1 }, { secondsSinceBeat: 31 }] },
      ['silentWorker'],
    ],
    ['work that waits', { work: [{ waiting: 1, longestWaitSeconds: 301 }] }, ['workWaits']],
    [
      'a disk that is nearly full',
      { disk: { freeBytes: 9, totalBytes: 100, refusesWrites: false } },
      ['diskNearlyFull'],
    ],
    [
      'a large disk without the room that is kept free, and nobody who works',
      { disk: { freeBytes: 10, totalBytes: 100, refusesWrites: true }, workers: [] },
      ['writesRefused', 'noWorker'],
    ],
  ] as const)('%s', (_, changed, problems) => {
    expect(problemsOf({ ...well, ...changed })).toEqual(problems);
  });
});
