/**
 * A call that did not measure its server because we could not do our part: a model provider failed while it answered a
 * request of the server, or the call ended in an error after the server asked for something we cannot do. Or a widget that
 * failed after a policy of ours refused a call of it.
 */
import type { StepOutcome } from './step-outcome.ts';

export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
  /** How the step of the call ends. */
  readonly outcome: Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' | 'blocked' }>;

  constructor(outcome: NotMeasured['outcome']) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}
