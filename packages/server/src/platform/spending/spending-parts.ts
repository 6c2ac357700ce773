import type { Spending } from './spending.ts';

/** What operations need if they may cost credits. */
export interface SpendingParts {
  readonly spending: Spending;
}
