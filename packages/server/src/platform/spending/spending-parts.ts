import type { Spending } from './spending.ts';

export interface SpendingParts {
  readonly spending: Spending;
}
