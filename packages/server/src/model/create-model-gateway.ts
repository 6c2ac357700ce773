/**
 * The models that can be run here: `proofmark/lexical-1`, which is always there, the models the operator offers, and
 * every model of a known provider for callers who bring a key.
 */
import { type ChosenModel, lexicalModelId, type ModelOffer } from '@proofmark/domain';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createLexicalModel } from './lexical/create-lexical-model.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelGateway, ModelPrice } from './model-gateway.ts';
import { type ModelLimits, modelLimits } from './model-limits.ts';
import { knownProviders, type ModelProvider } from './model-provider.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

export interface ModelGatewayOptions {
  readonly egress: EgressPolicy;
  readonly providers?: readonly ModelProvider[];
  readonly limits?: Partial<ModelLimits>;
  /** From 0 up to 1; spreads the waits of many senders. */
  readonly random?: () => number;
}

export function createModelGateway(options: ModelGatewayOptions): ModelGateway {
  const limits = { ...modelLimits, ...options.limits };
  const lexical = createLexicalModel();
  const providers = allProviders(options.providers ?? []);
  const providerClients = new Map<string, ProviderClient>();
  const roadTo = (name: string): ProviderClient => {
    const known = providerClients.get(name);
    if (known !== undefined) return known;
    const provider = providers.get(name);
    if (provider === undefined) {
      throw new ModelFailure('REQUEST_REFUSED', `The provider ${name} is not known here.`, 0);
    }
    const made = createProviderClient(provider, {
      egress: options.egress,
      limits,
      random: options.random ?? Math.random,
    });
    providerClients.set(name, made);
    return made;
  };
  const prices = pricesOf(providers);
  return {
    offer: offerOf(providers),
    priceOf: (model) => (model.hosted ? prices.get(model.id) : undefined),
    async generate(model, request, { signal, apiKey }) {
      signal.throwIfAborted();
      if (isLexical(model)) return lexical(request);
      return roadTo(model.provider).generate(model, request, signal, apiKey);
    },
    async close() {
      for (const providerClient of providerClients.values()) providerClient.close();
    },
  };
}

function allProviders(configured: readonly ModelProvider[]): ReadonlyMap<string, ModelProvider> {
  const providers = new Map<string, ModelProvider>();
  for (const provider of knownProviders) providers.set(provider.name, provider);
  for (const provider of configured) providers.set(provider.name, provider);
  return providers;
}

function offerOf(providers: ReadonlyMap<string, ModelProvider>): ModelOffer {
  const hosted = [{ id: lexicalModelId, provider: lexicalProvider }];
  for (const { name, models } of providers.values()) {
    for (const model of models) hosted.push({ id: `${name}/${model.name}`, provider: name });
  }
  return { hosted, providers: [...providers.keys()] };
}

function pricesOf(providers: ReadonlyMap<string, ModelProvider>): ReadonlyMap<string, ModelPrice> {
  const prices = new Map<string, ModelPrice>();
  for (const provider of providers.values()) {
    for (const { name, inputPerMillion, outputPerMillion } of provider.models) {
      if (inputPerMillion === undefined || outputPerMillion === undefined) continue;
      prices.set(`${provider.name}/${name}`, { inputPerMillion, outputPerMillion });
    }
  }
  return prices;
}

const lexicalProvider = lexicalModelId.slice(0, lexicalModelId.indexOf('/'));

function isLexical(model: ChosenModel): boolean {
  return model.hosted && model.id === lexicalModelId;
}
