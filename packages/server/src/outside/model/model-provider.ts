/**
 * A provider as configured by the operator or an organization. Only its names and prices are ever
 * shown.
 */
import {
  knownProviderKinds,
  type ModelProviderKind,
  type ProviderModel,
  type SavedProvider,
} from '@proofmark/domain';

export interface ModelProvider {
  /** The id of a provider in the database, whose name is not unique. */
  readonly id?: string;
  readonly name: string;
  readonly kind: ModelProviderKind;
  /** The address (default: that of its kind). */
  readonly baseUrl?: string;
  /** The key for the models below. */
  readonly apiKey?: string;
  /** The models on that key, as `<name of the provider>/<name of the model>`. */
  readonly models: readonly ProviderModel[];
  /** The most concurrent requests to it. */
  readonly requestsAtOnce?: number;
  /** True if a tenant chose the address, which then gets the egress rules for tenants. */
  readonly isTenants?: boolean;
}

/** The providers that are known without configuration, for callers with a key. */
export const knownProviders: readonly ModelProvider[] = knownProviderKinds.map((kind) => ({
  name: kind,
  kind,
  models: [],
}));

export function fromSaved(saved: SavedProvider): ModelProvider {
  const { id, name, kind, baseUrl, apiKey, models, requestsAtOnce } = saved;
  return {
    id,
    name,
    kind,
    models,
    isTenants: saved.organizationId !== null,
    ...(baseUrl !== null && { baseUrl }),
    ...(apiKey !== null && { apiKey }),
    ...(requestsAtOnce !== null && { requestsAtOnce }),
  };
}
