/** A provider as the operator or an organization configures it. Nothing of it but names and prices is ever shown. */
import {
  knownProviderKinds,
  type ModelProviderKind,
  type ProviderModel,
  type SavedProvider,
} from '@proofmark/domain';

export interface ModelProvider {
  /** Of one that is kept in the database, whose name others may have too. */
  readonly id?: string;
  readonly name: string;
  readonly kind: ModelProviderKind;
  /** The kind's own address when absent. */
  readonly baseUrl?: string;
  /** For the models below. */
  readonly apiKey?: string;
  /** What runs on that key, as `<name of the provider>/<name of the model>`. */
  readonly models: readonly ProviderModel[];
  /** How many requests are sent to it at a time. */
  readonly requestsAtOnce?: number;
  /** A tenant chose the address, so it is guarded as all of theirs are. */
  readonly isTenants?: boolean;
}

/** Known without configuration, for callers who bring a key of their own. */
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
