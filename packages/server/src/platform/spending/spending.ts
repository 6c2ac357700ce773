/** What the operator lets organizations spend. */
import { defaultSpendingLimits, type SpendingLimits } from '@proofmark/domain';

export interface Spending {
  readonly limits: SpendingLimits;
  /** Whether organizations are held to a pace, beside the daily limits. */
  readonly brakes: boolean;
}

export const defaultSpending: Spending = { limits: defaultSpendingLimits, brakes: true };
