/**
 * Thrown if a call says nothing about its server because of us. Either a model provider failed
 * while we answered the server's request, or the server requested an ability that we lack and the
 * call then ended in an error. Also thrown if a widget failed after our policy refused one of its
 * calls.
 */
import type { StepOutcome } from './step-outcome.ts';

export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
  /** The outcome of the step that contained the call. */
  readonly outcome: Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' | 'blocked' }>;

  constructor(outcome: NotMeasured['outcome']) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}
