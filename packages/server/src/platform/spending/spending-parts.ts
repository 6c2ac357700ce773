import type { Spending } from './spending.ts';

/** Parts of operations that may cost credits. */
export interface SpendingParts {
  readonly spending: Spending;
}
