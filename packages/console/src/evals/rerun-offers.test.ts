import { expect, test } from 'vitest';
import { rerunOffers } from './rerun-offers.ts';

const of = (total: number, passed: number, failed: number) => ({ total, passed, failed });

test.each([
  ['all passed', 'completed', 'api', of(2, 2, 0), []],
  ['one failed', 'completed', 'ui', of(2, 1, 1), ['failed']],
  ['one was not graded', 'completed', 'api', of(2, 1, 0), ['notGraded']],
  ['both', 'cancelled', 'api', of(3, 1, 1), ['failed', 'notGraded']],
  ['it goes on', 'running', 'api', of(2, 0, 1), []],
  ['it was reported', 'completed', 'sdk', of(2, 1, 1), []],
  ['nothing was counted', 'failed', 'api', null, []],
] as const)('where %s', (_, status, source, summary, offers) => {
  expect(rerunOffers({ status, source, summary })).toEqual(offers);
});
