export type OidcReason =
  /** The settings are wrong; only the operator can help. */
  | 'SETTINGS'
  /** The provider did not answer, or not as OpenID Connect asks. */
  | 'PROVIDER_UNAVAILABLE'
  /** The provider, or the person there, said no. */
  | 'DENIED'
  /** What came back does not belong to this sign-in or cannot be trusted. */
  | 'NOT_TRUSTED'
  | 'EMAIL_MISSING';

/**
 * The one error of signing in with a provider. The message may be shown to anybody. `code` is the name
 * the protocol library gives the fault, for the log; tokens, codes and secrets are in neither, and
 * there is no `cause`, since the library's errors hold whole answers.
 */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused';
  readonly reason: OidcReason;
  readonly code: string;

  constructor(reason: OidcReason, message: string = sentences[reason], code = '') {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

const sentences: Record<OidcReason, string> = {
  SETTINGS: 'Sign-in with the provider is not set up correctly; tell the operator.',
  PROVIDER_UNAVAILABLE: 'The sign-in provider did not answer as expected; try again later.',
  DENIED: 'The sign-in provider refused the sign-in; start again or choose another account.',
  NOT_TRUSTED: 'The answer of the sign-in provider could not be verified; start the sign-in again.',
  EMAIL_MISSING: 'The sign-in provider gave no e-mail address; allow it there and sign in again.',
};
