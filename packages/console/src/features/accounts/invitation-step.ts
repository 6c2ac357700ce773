/**
 * Decides the next step for the reader of an invitation. A reader signed in with another account
 * must sign out first, because the sign-in page redirects signed-in readers.
 */
export type InvitationStep = 'accept' | 'signIn' | 'signOut';

export function invitationStep(reason: unknown, isSignedIn: boolean): InvitationStep {
  const isOfSomebodyElse = reason === 'SIGN_IN_FIRST' || reason === 'SIGN_OUT_FIRST';
  if (isOfSomebodyElse && isSignedIn) return 'signOut';
  return reason === 'SIGN_IN_FIRST' ? 'signIn' : 'accept';
}
