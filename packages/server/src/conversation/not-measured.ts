/**
 * A call that did not measure its server because of us: a model provider failed while we answered a
 * request of the server, or the call ended in an error after the server requested an ability that
 * we lack. Also a widget that failed after our policy refused one of its calls.
 */
import type { StepOutcome } from './step-outcome.ts';

export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
  /** The outcome of the step with the call. */
  readonly outcome: Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' | 'blocked' }>;

  constructor(outcome: NotMeasured['outcome']) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}
