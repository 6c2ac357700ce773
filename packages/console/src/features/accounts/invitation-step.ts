/**
 * What the reader of an invitation does next. Whoever is signed in as somebody else signs out before anything: the page
 * for signing in leads them straight back.
 */
export type InvitationStep = 'accept' | 'signIn' | 'signOut';

export function invitationStep(reason: unknown, isSignedIn: boolean): InvitationStep {
  const isOfSomebodyElse = reason === 'SIGN_IN_FIRST' || reason === 'SIGN_OUT_FIRST';
  if (isOfSomebodyElse && isSignedIn) return 'signOut';
  return reason === 'SIGN_IN_FIRST' ? 'signIn' : 'accept';
}
