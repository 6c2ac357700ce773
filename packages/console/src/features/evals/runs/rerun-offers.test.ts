import { expect, test } from 'vitest';
import { rerunOffers } from './rerun-offers.ts';

const of = (total: number, passed: number, failed: number) => ({ total, passed, failed });

test.each([
  ['all passed', 'completed', 'api', of(2, 2, 0), ['all']],
  ['one failed', 'completed', 'ui', of(2, 1, 1), ['failed', 'all']],
  ['one was not graded', 'completed', 'api', of(2, 1, 0), ['notGraded', 'all']],
  ['both', 'cancelled', 'api', of(3, 1, 1), ['failed', 'notGraded', 'all']],
  ['it goes on', 'running', 'api', of(2, 0, 1), []],
  ['it was reported', 'completed', 'sdk', of(2, 1, 1), []],
  ['nothing was counted', 'failed', 'api', null, []],
] as const)('where %s', (_, status, source, summary, offers) => {
  expect(rerunOffers({ status, source, summary })).toEqual(offers);
});
