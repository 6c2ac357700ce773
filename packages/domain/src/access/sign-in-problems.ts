/**
 * Reasons for a failed sign-in through an identity provider. The page's address contains only the
 * code, and the page looks up the sentence here. A link can thus not put arbitrary text on the
 * sign-in page.
 */
export const signInProblems = {
  SETTINGS: 'Sign-in with the provider is not set up correctly; tell the operator.',
  PROVIDER_UNAVAILABLE: 'The sign-in provider did not answer as expected; try again later.',
  DENIED: 'The sign-in provider refused the sign-in; start again or choose another account.',
  NOT_TRUSTED: 'The answer of the sign-in provider could not be verified; start the sign-in again.',
  EMAIL_MISSING:
    'The sign-in provider sent no e-mail address; allow it to share your address, then sign in again.',
  NO_ACCOUNT: 'There is no account for this identity. Ask an administrator to add you.',
  ACCOUNT_DISABLED: 'This account is disabled. Ask an owner or admin of your organization.',
  STARTED_ELSEWHERE: 'The sign-in took too long or was started elsewhere; start it again.',
  FAILED: 'Signing in failed; try again.',
} as const;

export type SignInProblem = keyof typeof signInProblems;

export function signInSentence(code: string): string {
  return Object.hasOwn(signInProblems, code)
    ? signInProblems[code as SignInProblem]
    : signInProblems.FAILED;
}
