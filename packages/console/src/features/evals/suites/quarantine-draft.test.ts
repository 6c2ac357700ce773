import { expect, test } from 'vitest';
import { quarantineBody, quarantineDays, quarantineDraftProblem } from './quarantine-draft.ts';

const draft = { caseId: 'refund', model: ' ', owner: ' Mika ', reason: 'Races', days: '1' };

test('a draft is sent without blanks, for as many days as chosen', () => {
  expect(quarantineBody(draft, 0)).toEqual({
    caseId: 'refund',
    owner: 'Mika',
    reason: 'Races',
    expiresAt: 86_340_000,
  });
  expect(quarantineBody({ ...draft, model: 'large' }, 0)).toMatchObject({ model: 'large' });
  for (const days of quarantineDays) {
    expect(quarantineDraftProblem({ ...draft, days }, 1_000)).toBeUndefined();
  }
});

test.each([
  ['owner', { owner: '' }],
  ['reason', { reason: ' ' }],
])('a draft without %s is refused there', (field, more) => {
  expect(quarantineDraftProblem({ ...draft, ...more }, 0)).toMatchObject({ field });
});
