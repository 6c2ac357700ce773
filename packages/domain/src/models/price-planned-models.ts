/**
 * The prices of a run's models, from the operator's settings at the launch. Only a hosted model has
 * a price, since the cost of calls with a caller's own key is unknown; the lexical model is free.
 * If a run names a model both with and without its provider, the price is stored under each name.
 */
import { lexicalModelId } from '../clients/lexical-model.ts';
import type { ModelChoice } from '../suites/eval-case.ts';
import { modelsNamed, type PlannedPrice } from '../suites/planned-case.ts';
import { type ChosenModel, chooseModel, type ModelOffer } from './choose-model.ts';

export function pricePlannedModels(
  cases: readonly { readonly variants: Parameters<typeof modelsNamed>[0] }[],
  offer: ModelOffer,
  /** The providers for which the caller sent a key. */
  keyed: readonly string[],
  priceOf: (
    model: ChosenModel,
  ) => Pick<PlannedPrice, 'inputPerMillion' | 'outputPerMillion' | 'isOwn'> | undefined,
): PlannedPrice[] {
  const prices = new Map<string, PlannedPrice | undefined>();
  for (const { model, provider } of cases.flatMap(({ variants }) => modelsNamed(variants))) {
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

/** Returns models that the operator pays for but has not priced. Their cost cannot be limited. */
export function unpricedModels(
  choices: readonly ModelChoice[],
  offer: ModelOffer,
  keyed: readonly string[],
  models: {
    isPaidByOperator(model: ChosenModel): boolean;
    priceOf(model: ChosenModel): object | undefined;
  },
): string[] {
  const found = choices.filter((choice) => {
    const chosen = chooseModel(choice, offer, keyed);
    if ('refusal' in chosen || !chosen.hosted || chosen.id === lexicalModelId) return false;
    return models.isPaidByOperator(chosen) && models.priceOf(chosen) === undefined;
  });
  return [...new Set(found.map(({ model }) => model))];
}

const free = { inputPerMillion: 0, outputPerMillion: 0 };
