import type { Health } from '@proofmark/contract';
import { expect, test } from 'vitest';
import { describeHealth } from './describe-health.ts';

const health: Health = {
  version: '1.2.3',
  problems: [],
  database: { version: '18.1', sizeBytes: 3 * 1024 ** 3 },
  openRuns: { launched: 2, reported: 1 },
  work: [{ kind: 'eval-trials', waiting: 7, leased: 3, silent: 1, longestWaitSeconds: 600 }],
  workers: [
    {
      host: 'north',
      processId: 41,
      version: '1.2.3',
      trialsAtOnce: 8,
      startedAt: 1,
      lastBeatAt: 2,
      secondsSinceBeat: 3,
      silent: false,
    },
  ],
  disk: {
    freeBytes: 1024 ** 3,
    totalBytes: 4 * 1024 ** 3,
    holdsDatabase: false,
    refusesWrites: false,
  },
  widgets: {
    testable: true,
    reason: null,
    warnings: [],
    foundBy: 'process 41 on north',
    browser: { version: '150.0', sandboxed: true, user: 'nobody', memoryBounded: true },
  },
};

test('the facts of an installation that is well', () => {
  const { lines, work, workers } = describeHealth(health);
  expect(lines).toEqual([
    'No problems.',
    '',
    'Proofmark 1.2.3',
    'PostgreSQL 18.1, 3.0 GiB',
    'Open runs: 2 launched, 1 reported',
    'Disk: 1.0 GiB of 4.0 GiB free; that of PostgreSQL may be another',
    'Widgets: can be tested, in Chromium 150.0, as the user nobody, with its sandbox, as found by process 41 on north',
  ]);
  const without = {
    testable: false,
    reason: 'No Chromium was found.',
    browser: null,
    warnings: [],
    foundBy: 'process 41 on north',
  };
  expect(describeHealth({ ...health, widgets: without }).lines).toContain(
    'Widgets: not tested, as found by process 41 on north. No Chromium was found.',
  );
  expect(work.rows).toEqual([['Trials', '7', '3', '1', '10 min']]);
  expect(workers.rows).toEqual([['north', '41', '1.2.3', '8', '3 s ago', 'alive']]);
});

test('what is wrong comes first, and what is unknown is said to be', () => {
  const { lines } = describeHealth({
    ...health,
    problems: ['noWorker', 'diskNearlyFull'],
    database: { version: '18.1', sizeBytes: null },
    disk: null,
  });
  expect(lines.slice(0, 2)).toEqual([
    expect.stringContaining('No worker is alive'),
    expect.stringContaining('The disk is nearly full'),
  ]);
  expect(lines).toContain('PostgreSQL 18.1, size unknown');
  expect(lines).toContain('Disk: unknown');
});
