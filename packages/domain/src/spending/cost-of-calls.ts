/**
 * What several calls of one model cost together. A provider may not tell what a call used: then its cost is not known, and
 * under a cap it counts as the most it can have been, or a provider that tells nothing would be free.
 */
import { type LedgerEntry, type PricePerMillion, priceStep, type StepUsage } from './ledger.ts';

export interface MeteredCall {
  readonly usage: StepUsage;
  /** The most it can have cost. */
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

/** What one call does not tell is not known of all of them. */
function sum(tokens: readonly (number | null)[]): number | null {
  return tokens.reduce((total, one) => (total === null || one === null ? null : total + one), 0);
}
