import { expect, test } from 'vitest';
import { draftProblem, waiverBody, waiverDays } from './waiver-draft.ts';

test('every choice of days is one the service grants, and a reason is needed', () => {
  for (const days of waiverDays) {
    expect(draftProblem({ reason: ' Known. ', days }, 1_000)).toBeUndefined();
  }
  expect(waiverBody({ reason: ' Known. ', days: '1' }, 0)).toEqual({
    reason: 'Known.',
    expiresAt: 86_400_000 - 60_000,
  });
  expect(draftProblem({ reason: ' ', days: '1' }, 0)?.path).toBe('reason');
  expect(draftProblem({ reason: 'x'.repeat(501), days: '1' }, 0)?.path).toBe('reason');
});
