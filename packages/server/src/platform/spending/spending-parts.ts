import type { Spending } from './spending.ts';

/** What an operation needs that may cost credits. */
export interface SpendingParts {
  readonly spending: Spending;
}
