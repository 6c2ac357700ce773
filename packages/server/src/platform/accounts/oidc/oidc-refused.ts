import { type SignInProblem, signInProblems } from '@proofmark/domain';

/** The sign-in problems that the provider, its settings or its answer can cause. */
export type OidcReason = Exclude<SignInProblem, 'NO_ACCOUNT' | 'STARTED_ELSEWHERE' | 'FAILED'>;

/**
 * The only error of a sign-in with a provider. Its message is safe to show to anybody. `code` is
 * the protocol library's name of the fault, for the log. Neither holds tokens, codes or secrets,
 * and there is no `cause`, since the library's errors hold whole answers.
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
