/** The operator's limits on the spending of organizations. */
import { defaultSpendingLimits, type SpendingLimits } from '@proofmark/domain';

export interface Spending {
  readonly limits: SpendingLimits;
  /**
   * True if the rate of an organization's requests is limited too, in addition to the daily limits.
   */
  readonly brakes: boolean;
}

export const defaultSpending: Spending = { limits: defaultSpendingLimits, brakes: true };
