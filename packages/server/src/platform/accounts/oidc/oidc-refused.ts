import { type SignInProblem, signInProblems } from '@proofmark/domain';

/** Those of the problems that the provider, its settings or its answer can cause. */
export type OidcReason = Exclude<SignInProblem, 'NO_ACCOUNT' | 'STARTED_ELSEWHERE' | 'FAILED'>;

/**
 * The one error of signing in with a provider. The message may be shown to anybody. `code` is the name
 * the protocol library gives the fault, for the log; tokens, codes and secrets are in neither, and
 * there is no `cause`, since the library's errors hold whole answers.
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
