import { type SignInProblem, signInProblems } from '@proofmark/domain';

/** Sign-in problems that the provider causes by its settings, its answer or an outage. */
export type OidcReason = Exclude<SignInProblem, 'NO_ACCOUNT' | 'STARTED_ELSEWHERE' | 'FAILED'>;

/**
 * The only error that a sign-in with a provider throws. Its message is safe to show to anybody.
 * `code` is the protocol library's error code, for the log. Neither contains tokens, codes or
 * secrets. It has no `cause`, since the library's errors contain whole answers.
 */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused';
  readonly reason: OidcReason;
  readonly code: string;

  constructor(reason: OidcReason, message: string = signInProblems[reason], code = '') {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}
