import { expect, test } from 'vitest';
import {
  type AttemptCounts,
  type JourneyRunStatus,
  journeyRunErrors,
  journeyRunStatus,
} from './journey-run-status.ts';

const counts = (
  total: number,
  succeeded: number,
  failed: number,
  rateLimited: number,
): AttemptCounts => ({ total, succeeded, failed, rateLimited });

test.each<readonly [string, AttemptCounts, JourneyRunStatus]>([
  ['none has ended', counts(3, 0, 0, 0), 'running'],
  ['one is still open after successes', counts(3, 2, 0, 0), 'running'],
  ['one is still open after failures', counts(3, 0, 2, 0), 'running'],
  ['one is still open after limits', counts(3, 0, 0, 2), 'running'],
  ['one is still open after one of each', counts(4, 1, 1, 1), 'running'],
  ['all succeeded', counts(3, 3, 0, 0), 'completed'],
  ['there was nothing to do', counts(0, 0, 0, 0), 'completed'],
  ['all but one succeeded', counts(3, 2, 1, 0), 'partial'],
  ['one alone succeeded', counts(3, 1, 2, 0), 'partial'],
  ['one succeeded and the others met a limit', counts(3, 1, 0, 2), 'partial'],
  ['all failed', counts(3, 0, 3, 0), 'failed'],
  ['one failed and the others met a limit', counts(3, 0, 1, 2), 'failed'],
  ['all met a limit', counts(3, 0, 0, 3), 'rate_limited'],
])('%s', (_, given, status) => {
  expect(journeyRunStatus(given)).toBe(status);
  expect(journeyRunStatus(given, null)).toBe(status);
});

test.each(journeyRunErrors)(
  'a run that was ended by %s has failed, whatever its attempts did',
  (error) => {
    for (const given of [
      counts(3, 3, 0, 0),
      counts(3, 1, 0, 0),
      counts(3, 0, 0, 3),
      counts(0, 0, 0, 0),
    ]) {
      expect(journeyRunStatus(given, error)).toBe('failed');
    }
  },
);
