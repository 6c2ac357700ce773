/** Lists the models that providers offer. This file loads no npm package of a provider. */
import { lexicalModelId, type ModelOffer } from '@proofmark/domain';
import { knownProviders, type ModelProvider } from './model-provider.ts';

/**
 * If names are equal, a configured provider replaces a saved one, and a saved one replaces a known
 * one.
 */
export function allProviders(
  saved: readonly ModelProvider[],
  configured: readonly ModelProvider[],
): ReadonlyMap<string, ModelProvider> {
  const all = [...knownProviders, ...saved, ...configured];
  return new Map(all.map((provider) => [provider.name, provider]));
}

export function offerOf(providers: ReadonlyMap<string, ModelProvider>): ModelOffer {
  const hosted = [{ id: lexicalModelId, provider: lexicalProvider }];
  for (const { name, models } of providers.values()) {
    for (const model of models) hosted.push({ id: `${name}/${model.name}`, provider: name });
  }
  return { hosted, providers: [...providers.keys()] };
}

const lexicalProvider = lexicalModelId.slice(0, lexicalModelId.indexOf('/'));

export function offerOfNoProvider(): ModelOffer {
  return offerOf(allProviders([], []));
}
