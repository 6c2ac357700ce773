/**
 * What a run will use, told before it is launched: its trials by model, and credits where earlier trials of the suite tell
 * what one costs. Prices alone do not: nobody knows how much a model will read and write.
 */
import type { PlannedPrice } from '../suites/planned-case.ts';
import { planTrials, type RunPlan } from '../suites/run-plan.ts';

/** `ownKey`: whoever launches the run sends a key for it, and what it costs there is not counted here. */
export const modelCosts = ['free', 'priced', 'unpriced', 'ownKey'] as const;
export type ModelCost = (typeof modelCosts)[number];

export interface ModelEstimate {
  readonly model: string;
  readonly trials: number;
  readonly cost: ModelCost;
  /** By what trials of the last run used of it, at the price of today; null where none did, or it did not tell. */
  readonly creditsPerTrial: number | null;
}

export interface TokensPerTrial {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface CountedModel extends Pick<ModelEstimate, 'model' | 'trials' | 'cost'> {
  readonly price: PlannedPrice | undefined;
}

export interface RunEstimate {
  readonly trials: number;
  readonly models: readonly ModelEstimate[];
  /** Of all of them; null where one is not known. */
  readonly credits: number | null;
  /** Of today; null where credits are not limited. */
  readonly creditsLeft: number | null;
}

export function estimateRun(known: {
  readonly plan: Pick<RunPlan, 'cases'>;
  readonly prices: readonly PlannedPrice[];
  /** Hosted models without a price. */
  readonly unpriced: readonly string[];
  /** By model. */
  readonly tokensPerTrial: ReadonlyMap<string, TokensPerTrial>;
  readonly creditsLeft: number | null;
}): RunEstimate {
  const trials = planTrials(known.plan);
  const counts = new Map<string, CountedModel>();
  for (const { caseIndex, variantIndex } of trials) {
    const variant = known.plan.cases[caseIndex]?.variants[variantIndex];
    if (variant?.model === undefined) continue;
    const { model } = variant;
    const price = known.prices.find(
      (one) => one.model === model && one.provider === variant.provider,
    );
    const cost = costOf(price, known.unpriced.includes(model));
    const key = `${cost} ${model}`;
    counts.set(key, { model, cost, price, trials: (counts.get(key)?.trials ?? 0) + 1 });
  }
  const models = [...counts.values()].map(({ price, ...one }) => ({
    ...one,
    creditsPerTrial: creditsOf(one.cost, price, known.tokensPerTrial.get(one.model)),
  }));
  const sums = models.map((one) => one.creditsPerTrial && one.creditsPerTrial * one.trials);
  return {
    trials: trials.length,
    models,
    credits: sums.includes(null) ? null : sums.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    creditsLeft: known.creditsLeft,
  };
}

function costOf(price: PlannedPrice | undefined, isUnpriced: boolean): ModelCost {
  if (price !== undefined) {
    return price.inputPerMillion === 0 && price.outputPerMillion === 0 ? 'free' : 'priced';
  }
  return isUnpriced ? 'unpriced' : 'ownKey';
}

function creditsOf(
  cost: ModelCost,
  price: PlannedPrice | undefined,
  tokens: TokensPerTrial | undefined,
): number | null {
  if (cost === 'free' || cost === 'ownKey') return 0;
  if (cost !== 'priced' || price === undefined || tokens === undefined) return null;
  // On the average, tokens are no whole numbers.
  const cents =
    tokens.inputTokens * price.inputPerMillion + tokens.outputTokens * price.outputPerMillion;
  return cents / 10_000;
}
