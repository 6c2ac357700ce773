/**
 * Thrown if a call proves nothing about its server:
 * - a model provider failed during a request of the server;
 * - the server requested an ability that Proofmark lacks, and the call then failed;
 * - a widget failed after a policy refused one of its calls.
 */
import type { StepOutcome } from './step-outcome.ts';

export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
  readonly outcome: Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' | 'blocked' }>;

  constructor(outcome: NotMeasured['outcome']) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}
