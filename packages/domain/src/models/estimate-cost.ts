/**
 * Returns the cost of a run's trials in US dollars, by the prices at its launch. Returns null if
 * tokens or a price are missing, because the sum of the rest would be too low. Prices are exact
 * decimals; only the sum is rounded.
 */
import { multiply, nothing, plus, toNumber } from '../kernel/decimal.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';

export interface SpentTokens {
  readonly model: string | null;
  readonly provider: string | null;
  /** The number of trials in the group that used the model. */
  readonly trials: number;
  /** The number of the group's trials for which input or output tokens are unknown. */
  readonly unmeasured: number;
  /** The input tokens of the measured trials. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function estimateCost(
  spent: readonly SpentTokens[],
  prices: readonly PlannedPrice[],
): number | null {
  let cost = nothing;
  for (const { model, provider, trials, unmeasured, inputTokens, outputTokens } of spent) {
    if (trials === 0) continue;
    const price = prices.find((one) => one.model === model && (one.provider ?? null) === provider);
    if (unmeasured > 0 || price === undefined) return null;
    // A provider may report any number, and a sum beyond the safe integers is not exact.
    if (!Number.isSafeInteger(inputTokens) || !Number.isSafeInteger(outputTokens)) return null;
    cost = plus(cost, multiply(inputTokens, price.inputPerMillion));
    cost = plus(cost, multiply(outputTokens, price.outputPerMillion));
  }
  return toNumber(cost, 6);
}
