/**
 * Decides what the reader of an invitation must do next. A reader who is signed in with another
 * account must sign out first: the sign-in page sends signed-in readers straight back.
 */
export type InvitationStep = 'accept' | 'signIn' | 'signOut';

export function invitationStep(reason: unknown, isSignedIn: boolean): InvitationStep {
  const isOfSomebodyElse = reason === 'SIGN_IN_FIRST' || reason === 'SIGN_OUT_FIRST';
  if (isOfSomebodyElse && isSignedIn) return 'signOut';
  return reason === 'SIGN_IN_FIRST' ? 'signIn' : 'accept';
}
