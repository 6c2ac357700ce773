/**
 * A model provider as configured by the operator or an organization. Only its names and prices are
 * ever shown, never its address or key.
 */
import {
  knownProviderKinds,
  type ModelProviderKind,
  type ProviderModel,
  type SavedProvider,
} from '@proofmark/domain';

export interface ModelProvider {
  /** The id of a provider in the database, where names are not unique. */
  readonly id?: string;
  readonly name: string;
  readonly kind: ModelProviderKind;
  /** The address (default: the address of the provider's kind). */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /**
   * The models that this provider offers. The id of a model is `<name of the provider>/<name of the
   * model>`.
   */
  readonly models: readonly ProviderModel[];
  readonly requestsAtOnce?: number;
  /** True if a tenant chose the address; the egress rules for tenants then apply to it. */
  readonly isTenants?: boolean;
}

/** The providers that need no configuration: a caller with a key can use them. */
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
