/**
 * A call that did not measure its server, because we could not do our part: a provider failed that was to answer for
 * the server, or the call ended in an error after something was asked of us that we cannot do.
 */
import type { StepOutcome } from './trial-context.ts';

export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
  /** How the step of the call ends. */
  readonly outcome: Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' }>;

  constructor(outcome: NotMeasured['outcome']) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}
