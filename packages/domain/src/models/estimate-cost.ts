/**
 * What the trials of a run cost, in US dollars, by the prices of its launch. It is unknown as soon as one trial that
 * used a model does not tell both its input and its output tokens, or used a model without a price: the rest alone
 * would be too small. Prices are taken as the decimal numbers they are written as, so tokens and prices come to the
 * exact sum, and only that is rounded to a number.
 */
import { multiply, nothing, plus, toNumber } from '../kernel/decimal.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';

/** Of some trials on one model. */
export interface SpentTokens {
  readonly model: string | null;
  readonly provider: string | null;
  /** How many of them used the model. */
  readonly trials: number;
  /** How many of those do not tell both halves. */
  readonly unmeasured: number;
  /** Of the others. */
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
    // A provider may answer anything for a number of tokens.
    if (!Number.isSafeInteger(inputTokens) || !Number.isSafeInteger(outputTokens)) return null;
    cost = plus(cost, multiply(inputTokens, price.inputPerMillion));
    cost = plus(cost, multiply(outputTokens, price.outputPerMillion));
  }
  return toNumber(cost, 6);
}
