import { defaultSpendingLimits, type SpendingLimits } from '@proofmark/domain';

export interface Spending {
  readonly limits: SpendingLimits;
  /** True if the rate of an organization's requests is limited, in addition to the daily limits. */
  readonly brakes: boolean;
}

export const defaultSpending: Spending = { limits: defaultSpendingLimits, brakes: true };
