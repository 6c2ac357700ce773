/**
 * Decides the next step for a user who opened an invitation. A user signed in with another account
 * must sign out first, because the sign-in page redirects signed-in users.
 */
export type InvitationStep = 'accept' | 'signIn' | 'signOut';

export function invitationStep(reason: unknown, isSignedIn: boolean): InvitationStep {
  const isOfSomebodyElse = reason === 'SIGN_IN_FIRST' || reason === 'SIGN_OUT_FIRST';
  if (isOfSomebodyElse && isSignedIn) return 'signOut';
  return reason === 'SIGN_IN_FIRST' ? 'signIn' : 'accept';
}
