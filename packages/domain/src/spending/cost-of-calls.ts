/**
 * The total cost of several calls of one model. A call without reported tokens has an unknown cost.
 * A credit limit then counts the call's highest possible cost; otherwise a provider that reports
 * nothing would be free.
 */
import { type LedgerEntry, type PricePerMillion, priceStep, type StepUsage } from './ledger.ts';

export interface MeteredCall {
  readonly usage: StepUsage;
  /** The highest possible cost of the call, in credits. */
  readonly worst: number;
}

export type CostOfCalls = Pick<LedgerEntry, 'inputTokens' | 'outputTokens' | 'credits' | 'priced'>;

export function costOfCalls(
  price: PricePerMillion | undefined,
  calls: readonly MeteredCall[],
  isCapped: boolean,
): CostOfCalls {
  const costs = calls.map(({ usage, worst }) => {
    const { credits, priced } = priceStep(price, usage);
    return { credits: isCapped && !priced ? worst : credits, priced };
  });
  return {
    inputTokens: sum(calls.map(({ usage }) => usage.inputTokens)),
    outputTokens: sum(calls.map(({ usage }) => usage.outputTokens)),
    credits: costs.reduce((total, { credits }) => total + credits, 0),
    priced: costs.every(({ priced }) => priced),
  };
}

/** Returns null if one of the numbers is unknown. */
function sum(tokens: readonly (number | null)[]): number | null {
  return tokens.reduce((total, one) => (total === null || one === null ? null : total + one), 0);
}
