/**
 * The highest possible cost of the cheapest model call in a plan. A run with fewer credits cannot
 * make a single call.
 */
import { authoredFacts } from '../suites/project-steps.ts';
import type { RunPlan } from '../suites/run-plan.ts';
import { worstCase } from './ledger.ts';

export function cheapestCallOf({ cases, prices }: Pick<RunPlan, 'cases' | 'prices'>): number {
  const calls = cases.flatMap((planned) =>
    planned.variants.map(({ model, provider }) => {
      const price = prices?.find((one) => one.model === model && one.provider === provider);
      const isPaid = authoredFacts(planned).hasPrompt && price !== undefined && !price.isOwn;
      return isPaid ? worstCase(price, 0, planned.maxTokens) : 0;
    }),
  );
  return calls.length === 0 ? 0 : Math.min(...calls);
}
