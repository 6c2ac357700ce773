/**
 * The models that can run here: `proofmark/lexical-1`, which is always available; the models that
 * the operator offers; and every model of a known provider, for callers with a key. Providers in
 * the database can change, so a caller that needs them passes their present state to `including`.
 */
import {
  type ChosenModel,
  lexicalModelId,
  type SavedProvider,
  savedInForce,
} from '@proofmark/domain';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createLexicalModel } from './lexical/create-lexical-model.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelGateway, ModelPrice } from './model-gateway.ts';
import { type ModelLimits, modelLimits } from './model-limits.ts';
import { fromSaved, type ModelProvider } from './model-provider.ts';
import { allProviders, offerOf } from './offer-of-providers.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

export interface ModelGatewayOptions {
  readonly egress: EgressPolicy;
  readonly providers?: readonly ModelProvider[];
  readonly limits?: Partial<ModelLimits>;
  /**
   * Returns a number from 0 to below 1 (default: `Math.random`). It varies the delays of retries,
   * so that many senders do not retry at the same moment.
   */
  readonly random?: () => number;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the members of one service, which share its clients.
export function createModelGateway(options: ModelGatewayOptions): ModelGateway {
  const limits = { ...modelLimits, ...options.limits };
  const lexical = createLexicalModel();
  const clientOf = (provider: ModelProvider) =>
    createProviderClient(provider, {
      egress: options.egress,
      limits,
      random: options.random ?? Math.random,
    });
  const configured = options.providers ?? [];
  const fixed = allProviders([], configured);
  const fixedClients = new Map<string, ProviderClient>();
  const savedClients = new SavedClients((saved) => clientOf(fromSaved(saved)));
  const fixedClient = (name: string): ProviderClient | undefined => {
    const known = fixedClients.get(name);
    const provider = fixed.get(name);
    if (known !== undefined || provider === undefined) return known;
    const made = clientOf(provider);
    fixedClients.set(name, made);
    return made;
  };
  const gatewayOf = (
    providers: ReadonlyMap<string, ModelProvider>,
    clientTo: (name: string) => ProviderClient | undefined,
    close: () => void,
  ): ModelGateway => {
    const prices = pricesOf(providers);
    return {
      configured: configured.map(({ apiKey, baseUrl: _address, ...shown }) => ({
        ...shown,
        hasKey: apiKey !== undefined,
      })),
      offer: offerOf(providers),
      priceOf: (model) => (model.hosted ? prices.get(model.id) : undefined),
      isPaidByOperator: (model) =>
        model.hosted && providers.get(model.provider)?.isTenants !== true,
      noteKeys(note) {
        for (const { apiKey } of providers.values()) if (apiKey !== undefined) note(apiKey);
      },
      async generate(model, request, asked) {
        asked.signal.throwIfAborted();
        if (isLexical(model)) return lexical(request);
        const client = clientTo(model.provider);
        if (client !== undefined) return client.generate(model, request, asked);
        const message = `This installation has no provider ${model.provider}.`;
        throw new ModelFailure('REQUEST_REFUSED', message, 0);
      },
      including,
      async close() {
        close();
      },
    };
  };
  const including = (all: readonly SavedProvider[]): ModelGateway => {
    const saved = savedInForce(
      configured.map(({ name }) => name),
      all,
    );
    const used = new Map<string, ProviderClient>();
    const clientTo = (name: string): ProviderClient | undefined => {
      const provider = saved.find((one) => one.name === name);
      if (provider === undefined) return fixedClient(name);
      const client = used.get(name) ?? savedClients.use(provider);
      used.set(name, client);
      return client;
    };
    return gatewayOf(allProviders(saved.map(fromSaved), configured), clientTo, () => {
      for (const provider of saved) if (used.delete(provider.name)) savedClients.leave(provider);
    });
  };
  return gatewayOf(fixed, fixedClient, () => {
    for (const client of fixedClients.values()) client.close();
    savedClients.close();
  });
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

function isLexical(model: ChosenModel): boolean {
  return model.hosted && model.id === lexicalModelId;
}

/**
 * The clients for providers in the database. A changed provider gets a new client, and callers of
 * the earlier client continue to use the earlier one. A client, with its key, is dropped after its
 * last use ends.
 */
interface Entry {
  readonly client: ProviderClient;
  users: number;
}

class SavedClients {
  readonly #make: (saved: SavedProvider) => ProviderClient;
  readonly #entries = new Map<string, Entry>();

  constructor(make: (saved: SavedProvider) => ProviderClient) {
    this.#make = make;
  }

  /**
   * Returns the shared client of a provider, so that concurrent requests of all users count towards
   * one limit.
   */
  use(saved: SavedProvider): ProviderClient {
    const key = keyOf(saved);
    const entry = this.#entries.get(key) ?? { client: this.#make(saved), users: 0 };
    this.#entries.set(key, entry);
    entry.users += 1;
    return entry.client;
  }

  leave(saved: SavedProvider): void {
    const key = keyOf(saved);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.users -= 1;
    if (entry.users === 0) this.#entries.delete(key);
  }

  close(): void {
    for (const { client } of this.#entries.values()) client.close();
  }
}

function keyOf({ id, revision }: SavedProvider): string {
  return `${id} ${revision}`;
}
