import { expect, test } from 'vitest';
import { invitationStep } from './invitation-step.ts';

test.each([
  [undefined, false, 'accept'],
  [undefined, true, 'accept'],
  ['SIGN_IN_FIRST', false, 'signIn'],
  ['SIGN_IN_FIRST', true, 'signOut'],
  ['SIGN_OUT_FIRST', true, 'signOut'],
  ['SIGN_OUT_FIRST', false, 'accept'],
  ['SOMETHING_ELSE', true, 'accept'],
])('refused by %s, signed in: %s, is followed by %s', (reason, isSignedIn, step) => {
  expect(invitationStep(reason, isSignedIn)).toBe(step);
});
