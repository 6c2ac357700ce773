/**
 * What the models of a run cost, as the operator says when it is launched. Only a hosted model has a price, since what
 * a caller pays for the own key is not known here; the lexical model costs nothing. A model that is named twice, with
 * and without its provider, has a price under each name.
 */
import { lexicalModelId } from '../clients/lexical-model.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';
import type { RunPlan } from '../suites/run-plan.ts';
import { type ChosenModel, chooseModel, type ModelOffer } from './choose-model.ts';

export function pricePlannedModels(
  cases: RunPlan['cases'],
  offer: ModelOffer,
  /** Providers for which the caller sent a key. */
  keyed: readonly string[],
  priceOf: (
    model: ChosenModel,
  ) => Pick<PlannedPrice, 'inputPerMillion' | 'outputPerMillion'> | undefined,
): PlannedPrice[] {
  const prices = new Map<string, PlannedPrice | undefined>();
  for (const { model, provider } of cases.flatMap(({ variants }) => variants)) {
    const key = `${provider ?? ''}\0${model}`;
    if (prices.has(key)) continue;
    const named = { model, ...(provider === undefined ? {} : { provider }) };
    const chosen = chooseModel(named, offer, keyed);
    const isHosted = !('refusal' in chosen) && chosen.hosted;
    const price = isHosted && chosen.id === lexicalModelId ? free : isHosted && priceOf(chosen);
    prices.set(key, price ? { ...named, ...price } : undefined);
  }
  return [...prices.values()].flatMap((price) => price ?? []);
}

/** Those that the operator hosts and states no price for: what they cost cannot be capped. */
export function hostedWithoutPrice(
  cases: RunPlan['cases'],
  offer: ModelOffer,
  keyed: readonly string[],
  prices: readonly PlannedPrice[],
): string[] {
  const found = new Set<string>();
  for (const { model, provider } of cases.flatMap(({ variants }) => variants)) {
    if (prices.some((one) => one.model === model && one.provider === provider)) continue;
    const named = { model, ...(provider === undefined ? {} : { provider }) };
    const chosen = chooseModel(named, offer, keyed);
    if (!('refusal' in chosen) && chosen.hosted) found.add(model);
  }
  return [...found];
}

const free = { inputPerMillion: 0, outputPerMillion: 0 };
